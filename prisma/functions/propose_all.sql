CREATE OR REPLACE FUNCTION propose_all(p_asked json, p_most integer, p_patience text)
 RETURNS TABLE(place integer, id text, "expiresAt" timestamp with time zone, "isNew" boolean, "roomAt" timestamp with time zone, "isRejected" boolean, reason character varying)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
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
        AND w."heldAt" IS NULL
      LIMIT 1) w))
    AND status = 'pending';

  RETURN QUERY
  WITH asked AS (
    SELECT (a.value->>'place')::integer AS place, a.value->'event' AS event, a.value->>'sense' AS sense, p.*,
      row_number() OVER (PARTITION BY p."profileId", p."agentDid", p.category, p."contentHash"
                         ORDER BY (a.value->>'place')::integer) AS turn
    FROM json_array_elements(p_asked) a
    CROSS JOIN LATERAL json_populate_record(NULL::"Proposal", a.value) p
    WHERE (a.value->>'place')::integer = ANY (v_held)
  ), weighed AS (
    SELECT a.*, w.pending, w."nextEnd", w.same, w."sameExpiresAt", r.id AS "rejectionId", r.reason AS "rejectionReason",
      row_number() OVER (PARTITION BY a."profileId", a."agentDid", w.same IS NULL AND r.id IS NULL AND a.turn = 1
                         ORDER BY a.place) AS newcomer
    FROM asked a
    JOIN "Profile" k ON k.id = a."profileId"
    LEFT JOIN "Rejection" r ON r."profileId" = a."profileId" AND r."agentDid" = a."agentDid"
      -- As lib/services/proposals/deciding/rejections.ts writes it.
      AND r.fingerprint = sha256(k."rejectionKey" || sha256(k."rejectionKey" || convert_to(a.sense, 'UTF8')))
    CROSS JOIN LATERAL (
      SELECT count(*) AS pending, min(w."expiresAt") AS "nextEnd",
        min(w.id) FILTER (WHERE w.category = a.category AND w."contentHash" = a."contentHash") AS same,
        min(w."expiresAt") FILTER (WHERE w.category = a.category AND w."contentHash" = a."contentHash")
          AS "sameExpiresAt"
      FROM "Proposal" w
      WHERE w."profileId" = a."profileId" AND w."agentDid" = a."agentDid" AND w.status = 'pending'
        AND (w."expiresAt" > a."proposedAt" OR w."heldAt" IS NOT NULL)) w
  ), made AS (
    INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence,
      context, "proposedAt", "expiresAt", flags, "guardVersion", "likeText")
    SELECT g.id, g."profileId", g."agentDid", g.content, g."contentHash", g.category, g.confidence,
      g.context, g."proposedAt", g."expiresAt", g.flags, g."guardVersion", g."likeText"
    FROM weighed g
    WHERE g.same IS NULL AND g."rejectionId" IS NULL AND g.turn = 1 AND g.pending + g.newcomer <= p_most
    RETURNING "Proposal".*
  ), met AS (
    UPDATE "Rejection" r SET "timesMet" = r."timesMet" + m.times, "lastMetAt" = m.at
    FROM (SELECT "rejectionId", count(*) AS times, max("proposedAt") AS at FROM weighed
          WHERE same IS NULL AND "rejectionId" IS NOT NULL GROUP BY 1) m
    WHERE r.id = m."rejectionId"
  ), settled AS (
    SELECT g.place, g.event, g."nextEnd", m.id = g.id AS "isNew",
      g.same IS NULL AND g."rejectionId" IS NOT NULL AS "isRejected", g."rejectionReason",
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
  SELECT s.place, s.id::text, s."expiresAt", coalesce(s."isNew", false), s."nextEnd", s."isRejected",
    s."rejectionReason"
  FROM settled s;
END $function$;
