-- Many admissions in one statement, in the order in which they were asked. As `admit` did for one: exact
-- over any trailing window, and whoever shows a nonce a second time counts for nothing. Nonces before
-- windows, each in the order of their keys: two instances that admit the same callers never wait for each
-- other in a circle. Instances of the release before call `admit` until they are replaced; it stays for them.
CREATE FUNCTION admit_all(
  p_dids text[], p_nonces text[], p_untils timestamptz[],
  p_callers text[], p_classes text[], p_limits integer[], p_ats timestamptz[], p_window interval,
  p_patience text
) RETURNS TABLE (place bigint, fresh boolean, admitted boolean, remaining integer, "resetAt" timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_stale bigint[];
  v_missing integer;
  v_at timestamptz;
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);
  -- Of the same nonce twice in one party, the first counts.
  WITH shown AS (
    SELECT s.did, s.nonce, s.until, s.place,
      row_number() OVER (PARTITION BY s.did, s.nonce ORDER BY s.place) AS turn
    FROM unnest(p_dids, p_nonces, p_untils) WITH ORDINALITY AS s (did, nonce, until, place)
    WHERE s.nonce IS NOT NULL
  ), claimed AS (
    INSERT INTO "Nonce" (did, nonce, "expiresAt")
    SELECT s.did, s.nonce, s.until FROM shown s WHERE s.turn = 1 ORDER BY s.did, s.nonce
    ON CONFLICT DO NOTHING RETURNING "Nonce".did, "Nonce".nonce
  )
  SELECT coalesce(array_agg(s.place), '{}') INTO v_stale
  FROM shown s LEFT JOIN claimed c ON c.did = s.did AND c.nonce = s.nonce AND s.turn = 1
  WHERE c.did IS NULL;

  -- All windows, ours until the end. One that is swept away meanwhile is made anew.
  LOOP
    INSERT INTO "RateWindow" (caller, class)
    SELECT DISTINCT a.caller, a.class
    FROM unnest(p_callers, p_classes) WITH ORDINALITY AS a (caller, class, place)
    WHERE a.place <> ALL (v_stale)
      AND NOT EXISTS (SELECT FROM "RateWindow" w WHERE w.caller = a.caller AND w.class = a.class)
    ORDER BY a.caller, a.class
    ON CONFLICT DO NOTHING;

    WITH held AS (
      SELECT w.caller, w.class FROM "RateWindow" w
      WHERE (w.caller, w.class) IN (
        SELECT a.caller, a.class
        FROM unnest(p_callers, p_classes) WITH ORDINALITY AS a (caller, class, place)
        WHERE a.place <> ALL (v_stale))
      ORDER BY w.caller, w.class FOR UPDATE
    )
    SELECT (SELECT count(DISTINCT (a.caller, a.class))
            FROM unnest(p_callers, p_classes) WITH ORDINALITY AS a (caller, class, place)
            WHERE a.place <> ALL (v_stale)) - count(*) INTO v_missing FROM held;
    EXIT WHEN v_missing = 0;
  END LOOP;
  v_at := coalesce((SELECT max(t) FROM unnest(p_ats) t), clock_timestamp());

  RETURN QUERY
  WITH asked AS (
    SELECT a.caller, a.class, a.quota, a.place,
      row_number() OVER (PARTITION BY a.caller, a.class ORDER BY a.place) AS turn
    FROM unnest(p_callers, p_classes, p_limits) WITH ORDINALITY AS a (caller, class, quota, place)
    WHERE a.place <> ALL (v_stale)
  ), stood AS (
    -- Where a window that was swept left hits behind, they still count.
    SELECT w.caller, w.class, f."admittedAt" AS since,
      coalesce(f.number, n.next) AS oldest, n.next
    FROM (SELECT DISTINCT d.caller, d.class FROM asked d) k
    JOIN "RateWindow" w ON w.caller = k.caller AND w.class = k.class
    CROSS JOIN LATERAL (
      SELECT CASE WHEN w.next > 0 THEN w.next ELSE coalesce(
        (SELECT max(h.number) + 1 FROM "RateHit" h WHERE h.caller = w.caller AND h.class = w.class), 0)
      END AS next) n
    LEFT JOIN LATERAL (
      SELECT h.number, h."admittedAt" FROM "RateHit" h
      WHERE h.caller = w.caller AND h.class = w.class AND h.number >= w.oldest
        AND h."admittedAt" > v_at - p_window
      ORDER BY h.number LIMIT 1) f ON true
  ), judged AS (
    SELECT a.*, s.oldest, s.next, s.since,
      s.next - s.oldest + a.turn <= a.quota AS admitted
    FROM asked a JOIN stood s ON s.caller = a.caller AND s.class = a.class
  ), numbered AS (
    SELECT j.*,
      count(*) FILTER (WHERE j.admitted) OVER (PARTITION BY j.caller, j.class ORDER BY j.place) AS hits
    FROM judged j
  ), hit AS (
    INSERT INTO "RateHit" (caller, class, number, "admittedAt")
    SELECT n.caller, n.class, n.next + n.hits - 1, v_at FROM numbered n WHERE n.admitted
  ), moved AS (
    UPDATE "RateWindow" w SET oldest = m.oldest, next = m.next + m.hits
    FROM (SELECT n.caller, n.class, n.oldest, n.next, max(n.hits) AS hits
          FROM numbered n WHERE n.admitted GROUP BY n.caller, n.class, n.oldest, n.next) m
    WHERE w.caller = m.caller AND w.class = m.class
  )
  SELECT n.place, true, n.admitted,
    greatest(0, n.quota - (n.next + n.hits - n.oldest))::integer,
    -- Above a limit that was lowered, several hits have to leave before there is room again.
    coalesce(
      (SELECT h."admittedAt" FROM "RateHit" h
       WHERE n.next + n.hits - n.oldest > n.quota AND h.caller = n.caller AND h.class = n.class
         AND h.number = n.next + n.hits - n.quota),
      n.since, v_at) + p_window
  FROM numbered n
  UNION ALL
  SELECT a.place, false, false,
    greatest(0, a.quota - coalesce(w.next - coalesce(f.number, w.next), 0))::integer,
    coalesce(f."admittedAt", v_at) + p_window
  FROM unnest(p_callers, p_classes, p_limits) WITH ORDINALITY AS a (caller, class, quota, place)
  LEFT JOIN "RateWindow" w ON w.caller = a.caller AND w.class = a.class
  LEFT JOIN LATERAL (
    SELECT h.number, h."admittedAt" FROM "RateHit" h
    WHERE h.caller = w.caller AND h.class = w.class AND h.number >= w.oldest
      AND h."admittedAt" > v_at - p_window
    ORDER BY h.number LIMIT 1) f ON true
  WHERE a.place = ANY (v_stale);
END $$;

-- Proposals begin to wait, each with its event. `id` is of the proposal that waits now: the new one, or the
-- same that was waiting already; null where the agent has as many waiting as it may have, until `roomAt`.
-- Proposals of one agent on one profile are counted one after the other. One plan serves any number: see
-- 0016_nonce_slots.
CREATE FUNCTION propose_all(p_asked json, p_most integer, p_patience text)
RETURNS TABLE (place integer, id text, "expiresAt" timestamptz, "isNew" boolean, "roomAt" timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);
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
