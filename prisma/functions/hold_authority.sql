CREATE OR REPLACE FUNCTION hold_authority(p_claims json, p_patience text)
 RETURNS TABLE(place integer)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  v_profiles integer[];
  v_dids text[];
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);
  SELECT array_agg(DISTINCT c."profileId"), array_agg(DISTINCT c."agentDid") INTO v_profiles, v_dids
  FROM json_to_recordset(p_claims) AS c ("profileId" integer, "agentDid" text);

  PERFORM FROM "User" WHERE id = ANY (ARRAY(
    SELECT p."ownerId" FROM "Profile" p WHERE p.id = ANY (v_profiles) AND p.did = ANY (v_dids)))
  ORDER BY id FOR SHARE;
  PERFORM FROM "Agent" WHERE did = ANY (v_dids) ORDER BY did FOR SHARE;
  -- A receipt raises its profile's revision: of two that held it together, each would wait for the other.
  PERFORM FROM "Profile" WHERE id = ANY (v_profiles) ORDER BY id FOR NO KEY UPDATE;

  RETURN QUERY
  SELECT c.place
  FROM json_to_recordset(p_claims) AS c (place integer, "profileId" integer, "agentDid" text, key text, token text,
    now timestamptz, authority text, receipts text[])
  WHERE c.authority = authority_of(c."profileId", c."agentDid", c.key, c.token, c.now)
    AND NOT EXISTS (SELECT FROM unnest(c.receipts) AS used (id) WHERE NOT EXISTS (
      SELECT FROM "Receipt" r WHERE r.id = used.id AND r."revokedAt" IS NULL));
END $function$;
