CREATE OR REPLACE FUNCTION admit_all(p_dids text[], p_nonces text[], p_untils timestamp with time zone[], p_callers text[], p_classes text[], p_limits integer[], p_ats timestamp with time zone[], p_window interval, p_patience text)
 RETURNS TABLE(place bigint, fresh boolean, admitted boolean, remaining integer, "resetAt" timestamp with time zone)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  v_stale bigint[];
  v_callers text[];
  v_classes text[];
  v_quotas integer[];
  v_asks bigint[];
  v_oldest bigint[];
  v_next bigint[];
  v_missing integer;
  v_at timestamptz;
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);
  v_stale := claim_nonces(p_dids, p_nonces, p_untils);

  -- All windows, ours until the end, and how many want to get in through each. One that is swept away
  -- meanwhile is made anew. Of two limits for the same window, as where one is just being changed, the lower.
  LOOP
    SELECT array_agg(k.caller), array_agg(k.class), array_agg(k.quota), array_agg(k.asks),
      array_agg(w.oldest), array_agg(w.next), count(*) FILTER (WHERE w.next IS NULL)
    INTO v_callers, v_classes, v_quotas, v_asks, v_oldest, v_next, v_missing
    FROM (SELECT a.caller, a.class, min(a.quota) AS quota, count(*) AS asks
          FROM unnest(p_callers, p_classes, p_limits) WITH ORDINALITY AS a (caller, class, quota, place)
          WHERE a.place <> ALL (v_stale) GROUP BY a.caller, a.class ORDER BY a.caller, a.class) k
    LEFT JOIN LATERAL (
      SELECT w.oldest, w.next FROM "RateWindow" w
      WHERE w.caller = k.caller AND w.class = k.class FOR UPDATE) w ON true;
    EXIT WHEN v_missing = 0;

    INSERT INTO "RateWindow" (caller, class)
    SELECT k.caller, k.class FROM unnest(v_callers, v_classes, v_next) AS k (caller, class, next)
    WHERE k.next IS NULL ORDER BY k.caller, k.class
    ON CONFLICT DO NOTHING;
  END LOOP;
  v_at := coalesce((SELECT max(t) FROM unnest(p_ats) t), clock_timestamp());

  -- Where a window that was swept left hits behind, they still count.
  IF 0 = ANY (v_next) THEN
    v_next := ARRAY(
      SELECT CASE WHEN w.next > 0 THEN w.next ELSE coalesce(
        (SELECT max(h.number) + 1 FROM "RateHit" h WHERE h.caller = w.caller AND h.class = w.class), 0) END
      FROM unnest(v_callers, v_classes, v_next) WITH ORDINALITY AS w (caller, class, next, place)
      ORDER BY w.place);
  END IF;

  -- Whoever shows a nonce a second time counts for nothing, and is told what is left.
  IF cardinality(v_stale) > 0 THEN
    RETURN QUERY
    SELECT a.place, false, false,
      greatest(0, a.quota - coalesce(w.next - coalesce(f.number, w.next), 0))::integer,
      coalesce(f."admittedAt", v_at) + p_window
    FROM unnest(p_callers, p_classes, p_limits) WITH ORDINALITY AS a (caller, class, quota, place)
    LEFT JOIN LATERAL (
      SELECT * FROM "RateWindow" w WHERE w.caller = a.caller AND w.class = a.class LIMIT 1) w ON true
    LEFT JOIN LATERAL (
      SELECT h.number, h."admittedAt" FROM "RateHit" h
      WHERE h.caller = w.caller AND h.class = w.class AND h.number >= w.oldest
        AND h."admittedAt" + p_window > v_at
      ORDER BY h.number LIMIT 1) f ON true
    WHERE a.place = ANY (v_stale);
  END IF;

  RETURN QUERY
  WITH stood AS MATERIALIZED (
    SELECT w.caller, w.class, w.quota, f."admittedAt" AS since, w.next,
      coalesce(f.number, w.next) AS oldest,
      least(w.asks, greatest(0, w.quota - (w.next - coalesce(f.number, w.next)))) AS hits
    FROM unnest(v_callers, v_classes, v_quotas, v_asks, v_oldest, v_next)
      AS w (caller, class, quota, asks, oldest, next)
    LEFT JOIN LATERAL (
      SELECT h.number, h."admittedAt" FROM "RateHit" h
      WHERE h.caller = w.caller AND h.class = w.class AND h.number >= w.oldest
        AND h."admittedAt" + p_window > v_at
      ORDER BY h.number LIMIT 1) f ON true
  ), hit AS (
    INSERT INTO "RateHit" (caller, class, number, "admittedAt")
    SELECT s.caller, s.class, n, v_at FROM stood s, generate_series(s.next, s.next + s.hits - 1) n
  ), moved AS (
    -- The list, so that no plan from when there were few windows reads all of them later.
    UPDATE "RateWindow" w SET oldest = s.oldest, next = s.next + s.hits
    FROM stood s
    WHERE s.hits > 0 AND w.caller = ANY (v_callers) AND w.caller = s.caller AND w.class = s.class
  ), numbered AS (
    SELECT a.place, s.caller, s.class, s.quota, s.since, s.next, s.oldest, a.turn <= s.hits AS admitted,
      s.next + least(a.turn, s.hits) AS upto
    FROM (SELECT t.*, row_number() OVER (PARTITION BY t.caller, t.class ORDER BY t.place) AS turn
          FROM unnest(p_callers, p_classes) WITH ORDINALITY AS t (caller, class, place)
          WHERE t.place <> ALL (v_stale)) a
    JOIN stood s ON s.caller = a.caller AND s.class = a.class
  )
  SELECT n.place, true, n.admitted, greatest(0, n.quota - (n.upto - n.oldest))::integer,
    -- Above a limit that was lowered, several hits have to leave before there is room again.
    coalesce(
      (SELECT h."admittedAt" FROM "RateHit" h
       WHERE n.upto - n.oldest > n.quota AND h.caller = n.caller AND h.class = n.class
         AND h.number = n.upto - n.quota),
      n.since, v_at) + p_window
  FROM numbered n;
END $function$;
