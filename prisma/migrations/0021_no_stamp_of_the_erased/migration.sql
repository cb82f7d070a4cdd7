-- Whoever erases a profile stamps none of its lists: nobody will ask for them. It holds the profile's row, and
-- took its only stamp; then somebody else's change of the same lists had to add one, waited for that row, and
-- held a row that the erasure wanted next.
CREATE OR REPLACE FUNCTION stamp_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM touched) THEN RETURN NULL; END IF;
  WITH profiles AS MATERIALIZED (
    SELECT DISTINCT t."profileId" AS id FROM touched t
    WHERE t."profileId"::text IS DISTINCT FROM current_setting('gateway.erasing', true)
  ), free AS MATERIALIZED (
    SELECT s."profileId", s.id FROM profiles p CROSS JOIN LATERAL (
      SELECT l."profileId", l.id FROM "ListStamp" l WHERE l."profileId" = p.id
      LIMIT 1 FOR UPDATE SKIP LOCKED) s
  ), stamped AS (
    UPDATE "ListStamp" l SET stamp = gen_random_uuid()
    FROM free f WHERE l."profileId" = f."profileId" AND l.id = f.id
  )
  -- Of a profile that goes, its lists go first.
  INSERT INTO "ListStamp" ("profileId")
  SELECT o.id FROM profiles p JOIN "Profile" o ON o.id = p.id
  WHERE NOT EXISTS (SELECT FROM free f WHERE f."profileId" = p.id);
  RETURN NULL;
END $$;
