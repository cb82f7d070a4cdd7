-- An agent's decision is made before its write. Between the two an owner may change a rule, and an admin may suspend
-- the agent. So a write names what its decision was made by, and compares it behind locks that keep it as it is.

-- What an agent's authority over a profile rests on, as one text: equal texts, equal authority. NULL if there is none:
-- the key or token has ended, or the agent is not active. Receipts are compared by their ids, where one was used.
CREATE FUNCTION authority_of(p_profile integer, p_did text, p_key text, p_token text, p_now timestamptz)
RETURNS text LANGUAGE sql STABLE AS $$
  SELECT md5(jsonb_build_array(p.state, p."ownerId", a.verified, a.ceiling,
    -- OFFSET: the order must not choose the index, or all policies of everybody are read by it.
    (SELECT string_agg(l.id || ' ' || l.version, ',' ORDER BY l.id) FROM (
       SELECT id, xmin::text AS version FROM "Policy" WHERE "profileId" = p.id AND enabled OFFSET 0) l))::text)
  FROM "Profile" p LEFT JOIN "Agent" a ON a.did = p_did
  WHERE p.id = p_profile
    -- The owner's own key is as good as their account.
    AND coalesce(a.state::text, (SELECT o.state::text FROM "User" o WHERE o.id = p."ownerId" AND p.did = p_did)) = 'active'
    AND (p_key IS NULL OR EXISTS (SELECT FROM "Key" k
      WHERE k.did = p_did AND k."publicKey" = decode(p_key, 'hex') AND k.slot IS NOT NULL))
    AND (p_token IS NULL OR EXISTS (SELECT FROM "ConnectionToken" t
      WHERE t.id = p_token AND t."revokedAt" IS NULL AND t."expiresAt" > p_now))
$$;

-- Locks what the claims rest on, in the order of all locks: users, agents, profiles. Returns those that hold.
CREATE FUNCTION hold_authority(p_claims json, p_patience text) RETURNS TABLE (place integer)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
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
  PERFORM FROM "Profile" WHERE id = ANY (v_profiles) ORDER BY id FOR SHARE;

  RETURN QUERY
  SELECT c.place
  FROM json_to_recordset(p_claims) AS c (place integer, "profileId" integer, "agentDid" text, key text, token text,
    now timestamptz, authority text, receipts text[])
  WHERE c.authority = authority_of(c."profileId", c."agentDid", c.key, c.token, c.now)
    AND NOT EXISTS (SELECT FROM unnest(c.receipts) AS used (id) WHERE NOT EXISTS (
      SELECT FROM "Receipt" r WHERE r.id = used.id AND r."revokedAt" IS NULL));
END $$;

CREATE OR REPLACE FUNCTION propose_all(p_asked json, p_most integer, p_patience text)
RETURNS TABLE (place integer, id text, "expiresAt" timestamptz, "isNew" boolean, "roomAt" timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  v_held integer[];
BEGIN
  v_held := ARRAY(SELECT h.place FROM hold_authority(p_asked, p_patience) h);
  PERFORM pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT hashtextextended('propose ' || p."profileId" || ' ' || p."agentDid", 0) AS key
        FROM json_populate_recordset(NULL::"Proposal", p_asked) p ORDER BY key) k;

  -- One that ran out but was not swept yet holds the place of the same content: it makes room.
  UPDATE "Proposal" SET status = 'rejected', "reviewedAt" = "expiresAt", reason = 'expired'
  WHERE id = ANY (ARRAY(
    SELECT w.id FROM json_populate_recordset(NULL::"Proposal", p_asked) p CROSS JOIN LATERAL (
      SELECT w.id FROM "Proposal" w
      WHERE w."profileId" = p."profileId" AND w."agentDid" = p."agentDid" AND w.category = p.category
        AND w."contentHash" = p."contentHash" AND w.status = 'pending' AND w."expiresAt" <= p."proposedAt"
      LIMIT 1) w))
    AND status = 'pending';

  RETURN QUERY
  WITH asked AS (
    SELECT (a.value->>'place')::integer AS place, a.value->'event' AS event, p.*,
      row_number() OVER (PARTITION BY p."profileId", p."agentDid", p.category, p."contentHash"
                         ORDER BY (a.value->>'place')::integer) AS turn
    FROM json_array_elements(p_asked) a
    CROSS JOIN LATERAL json_populate_record(NULL::"Proposal", a.value) p
    WHERE (a.value->>'place')::integer = ANY (v_held)
  ), weighed AS (
    SELECT a.*, w.pending, w."nextEnd", w.same, w."sameExpiresAt",
      row_number() OVER (PARTITION BY a."profileId", a."agentDid", w.same IS NULL AND a.turn = 1
                         ORDER BY a.place) AS newcomer
    FROM asked a CROSS JOIN LATERAL (
      SELECT count(*) AS pending, min(w."expiresAt") AS "nextEnd",
        min(w.id) FILTER (WHERE w.category = a.category AND w."contentHash" = a."contentHash") AS same,
        min(w."expiresAt") FILTER (WHERE w.category = a.category AND w."contentHash" = a."contentHash")
          AS "sameExpiresAt"
      FROM "Proposal" w
      WHERE w."profileId" = a."profileId" AND w."agentDid" = a."agentDid" AND w.status = 'pending'
        AND w."expiresAt" > a."proposedAt") w
  ), made AS (
    INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence,
      context, "proposedAt", "expiresAt")
    SELECT g.id, g."profileId", g."agentDid", g.content, g."contentHash", g.category, g.confidence,
      g.context, g."proposedAt", g."expiresAt"
    FROM weighed g WHERE g.same IS NULL AND g.turn = 1 AND g.pending + g.newcomer <= p_most
    RETURNING "Proposal".*
  ), settled AS (
    SELECT g.place, g.event, g."nextEnd", m.id = g.id AS "isNew",
      coalesce(g.same, m.id) AS id, coalesce(g."sameExpiresAt", m."expiresAt") AS "expiresAt"
    FROM weighed g
    LEFT JOIN made m ON m."profileId" = g."profileId" AND m."agentDid" = g."agentDid"
      AND m.category = g.category AND m."contentHash" = g."contentHash"
  ), told AS (
    INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, asked, granted,
      denied, items, reasons, "purposeType", "receiptId", "subjectId", detail, "requestId")
    SELECT e.id, e."profileId", e.at, e.actor, e."actorId", e.verb, e.outcome, e.asked, e.granted,
      e.denied, e.items, e.reasons, e."purposeType", e."receiptId", s.id, e.detail, e."requestId"
    FROM settled s CROSS JOIN LATERAL json_populate_record(NULL::"AccessEvent", s.event) e
    WHERE s.id IS NOT NULL
  )
  SELECT s.place, s.id::text, s."expiresAt", coalesce(s."isNew", false), s."nextEnd" FROM settled s;
END $$;
