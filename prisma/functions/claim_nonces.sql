CREATE OR REPLACE FUNCTION nonce_lock(p_did text, p_nonce text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT hashtextextended('nonce ' || p_did || ' ' || p_nonce, 0)
$function$;

CREATE OR REPLACE FUNCTION nonce_slot()
 RETURNS smallint
 LANGUAGE sql
AS $function$
  SELECT (extract(epoch FROM clock_timestamp())::bigint / 5400 % 4)::smallint
$function$;

CREATE OR REPLACE FUNCTION claim_nonces(p_dids text[], p_nonces text[], p_untils timestamp with time zone[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  v_used bigint[];
BEGIN
  PERFORM pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT nonce_lock(s.did, s.nonce) AS key
        FROM unnest(p_dids, p_nonces) AS s (did, nonce) WHERE s.nonce IS NOT NULL ORDER BY key) k;

  -- Of the same nonce twice in one party, the first counts. OFFSET, so that each is looked up by its key: the
  -- plan that is kept would read all nonces to compare them with a few.
  v_used := ARRAY(
    SELECT s.place
    FROM (SELECT t.*, row_number() OVER (PARTITION BY t.did, t.nonce ORDER BY t.place) AS turn
          FROM unnest(p_dids, p_nonces) WITH ORDINALITY AS t (did, nonce, place)
          WHERE t.nonce IS NOT NULL) s
    WHERE s.turn > 1
      OR EXISTS (SELECT FROM "Nonce" n WHERE n.did = s.did AND n.nonce = s.nonce OFFSET 0));

  -- Nobody else can have added one of them meanwhile. If one is there all the same, its key refuses the party.
  INSERT INTO "Nonce" (slot, did, nonce, "expiresAt")
  SELECT nonce_slot(), s.did, s.nonce, s.until
  FROM unnest(p_dids, p_nonces, p_untils) WITH ORDINALITY AS s (did, nonce, until, place)
  WHERE s.nonce IS NOT NULL AND s.place <> ALL (v_used);
  RETURN v_used;
END $function$;
