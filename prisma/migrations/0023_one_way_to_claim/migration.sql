-- A nonce is claimed by claim_nonces() and in no other way: whoever inserts one by itself names no slot and is
-- refused. So the trigger that looked after those goes, and the function that took one admission at a time.
DROP TRIGGER "Nonce_once" ON "Nonce";
DROP FUNCTION "claimOnce"();
DROP FUNCTION admit(text, text, timestamptz, text, text, integer, interval, timestamptz);
ALTER TABLE "Nonce" ALTER COLUMN "slot" DROP DEFAULT;

-- As in 0016_nonce_slots, where it says why: locks first, in the order of their keys; then a look into all
-- slots, as the key holds within one only. Answers with the places of those that were used before.
CREATE OR REPLACE FUNCTION claim_nonces(p_dids text[], p_nonces text[], p_untils timestamptz[]) RETURNS bigint[]
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  v_used bigint[];
BEGIN
  PERFORM pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT nonce_lock(s.did, s.nonce) AS key
        FROM unnest(p_dids, p_nonces) AS s (did, nonce) WHERE s.nonce IS NOT NULL ORDER BY key) k;

  -- Of the same nonce twice in one party, the first counts.
  WITH shown AS (
    SELECT s.did, s.nonce, s.until, s.place,
      row_number() OVER (PARTITION BY s.did, s.nonce ORDER BY s.place) AS turn
    FROM unnest(p_dids, p_nonces, p_untils) WITH ORDINALITY AS s (did, nonce, until, place)
    WHERE s.nonce IS NOT NULL
  ), claimed AS (
    INSERT INTO "Nonce" (slot, did, nonce, "expiresAt")
    SELECT nonce_slot(), s.did, s.nonce, s.until FROM shown s
    WHERE s.turn = 1
      AND NOT EXISTS (SELECT FROM "Nonce" n WHERE n.did = s.did AND n.nonce = s.nonce OFFSET 0)
    ON CONFLICT DO NOTHING RETURNING did, nonce
  )
  SELECT coalesce(array_agg(s.place), '{}') INTO v_used
  FROM shown s LEFT JOIN claimed c ON c.did = s.did AND c.nonce = s.nonce AND s.turn = 1
  WHERE c.did IS NULL;
  RETURN v_used;
END $$;
