-- Many admissions in one statement, in the order in which they were asked. As `admit` did for one: exact
-- over any trailing window, and whoever shows a nonce a second time counts for nothing. Nonces before
-- windows, each in the order of their keys: two instances that admit the same callers never wait for each
-- other in a circle.
CREATE FUNCTION admit_all(
  p_dids text[], p_nonces text[], p_untils timestamptz[],
  p_callers text[], p_classes text[], p_limits integer[], p_ats timestamptz[], p_window interval
) RETURNS TABLE (place bigint, fresh boolean, admitted boolean, remaining integer, "resetAt" timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_stale bigint[];
  v_missing integer;
  v_at timestamptz;
BEGIN
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

DROP FUNCTION admit(text, text, timestamptz, text, text, integer, interval, timestamptz);
