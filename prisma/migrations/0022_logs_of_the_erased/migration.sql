-- Of a profile that was erased only the last seal of its log stays from here on. What was left of each event
-- goes, and with it what was sealed while its profile was being erased. By the number of the profiles that are
-- gone, so that it takes as long as their logs and not as the whole one.
DO $$
DECLARE
  v_gone integer;
BEGIN
  FOR v_gone IN
    SELECT n FROM generate_series(1, (SELECT last_value FROM "Profile_id_seq")) n
    WHERE NOT EXISTS (SELECT FROM "Profile" p WHERE p.id = n)
  LOOP
    PERFORM set_config('gateway.erasing', v_gone::text, true);
    -- One may have been made meanwhile that was not there yet above.
    DELETE FROM "AccessEvent" e
    WHERE e."profileId" = v_gone AND NOT EXISTS (SELECT FROM "Profile" p WHERE p.id = v_gone);
    DELETE FROM "Seal" s
    WHERE s."profileId" = v_gone AND NOT EXISTS (SELECT FROM "Profile" p WHERE p.id = v_gone)
      AND s.position < (SELECT max(l.position) FROM "Seal" l WHERE l."profileId" = v_gone);
  END LOOP;
  PERFORM set_config('gateway.erasing', '', true);
END $$;
