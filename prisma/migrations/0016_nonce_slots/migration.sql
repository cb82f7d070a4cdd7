-- Nonces stand in a ring of slots, by when they came: each takes what comes for an hour and a half, is left
-- alone for the four and a half after that, and is emptied as a whole once nothing in it can be accepted
-- any more. The database's clock alone chooses. A nonce is kept for three hours at the most.
CREATE FUNCTION nonce_slot() RETURNS smallint LANGUAGE sql AS $$
  SELECT (extract(epoch FROM clock_timestamp())::bigint / 5400 % 4)::smallint
$$;

LOCK TABLE "Nonce";
ALTER TABLE "Nonce" RENAME TO "Nonce_before";
ALTER TABLE "Nonce_before" RENAME CONSTRAINT "Nonce_pkey" TO "Nonce_before_pkey";
ALTER INDEX "Nonce_expiresAt_idx" RENAME TO "Nonce_before_expiresAt_idx";

CREATE TABLE "Nonce" (
  "slot" SMALLINT NOT NULL DEFAULT nonce_slot(),
  "did" VARCHAR(144) NOT NULL,
  "nonce" VARCHAR(128) NOT NULL,
  "expiresAt" TIMESTAMPTZ(3) NOT NULL
) PARTITION BY LIST ("slot");
CREATE TABLE "Nonce_0" PARTITION OF "Nonce" FOR VALUES IN (0);
CREATE TABLE "Nonce_1" PARTITION OF "Nonce" FOR VALUES IN (1);
CREATE TABLE "Nonce_2" PARTITION OF "Nonce" FOR VALUES IN (2);
CREATE TABLE "Nonce_3" PARTITION OF "Nonce" FOR VALUES IN (3);

INSERT INTO "Nonce" (slot, did, nonce, "expiresAt")
  SELECT s.slot, b.did, b.nonce, b."expiresAt" FROM (SELECT nonce_slot() AS slot) s, "Nonce_before" b;
DROP TABLE "Nonce_before";
-- Sorted at once, which takes less than one by one.
ALTER TABLE "Nonce" ADD CONSTRAINT "Nonce_pkey" PRIMARY KEY ("did", "nonce", "slot");
CREATE INDEX "Nonce_expiresAt_idx" ON "Nonce" ("expiresAt");

CREATE FUNCTION nonce_lock(p_did text, p_nonce text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT hashtextextended('nonce ' || p_did || ' ' || p_nonce, 0)
$$;

-- The key holds within a slot. Across slots, of two who show the same nonce at once the second waits here
-- and then finds what the first left, whichever slot each of them writes to. One that was used is left out
-- like one in conflict.
CREATE FUNCTION "claimOnce"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(nonce_lock(NEW.did, NEW.nonce));
  IF EXISTS (SELECT FROM "Nonce" n WHERE n.did = NEW.did AND n.nonce = NEW.nonce) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "Nonce_once" BEFORE INSERT ON "Nonce" FOR EACH ROW
  WHEN (current_setting('gateway.claiming', true) IS DISTINCT FROM 'together')
  EXECUTE FUNCTION "claimOnce"();

-- The same for many at once, which costs each a fraction of what the trigger does. Answers with the places
-- of those that were used before; null is no nonce. Locks in the order of their keys: two parties with the
-- same nonces never wait for each other in a circle.
-- How many ask at once differs from call to call, and PostgreSQL takes a plan made for just that many for
-- cheaper than the one it keeps: so it plans anew at each call, which takes several times as long as the
-- work. One plan serves all. It is kept while tables fill, so it must not lean on one being empty.
CREATE FUNCTION claim_nonces(p_dids text[], p_nonces text[], p_untils timestamptz[]) RETURNS bigint[]
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  v_used bigint[];
BEGIN
  PERFORM pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT nonce_lock(s.did, s.nonce) AS key
        FROM unnest(p_dids, p_nonces) AS s (did, nonce) WHERE s.nonce IS NOT NULL ORDER BY key) k;

  PERFORM set_config('gateway.claiming', 'together', true);
  -- Of the same nonce twice in one party, the first counts.
  WITH shown AS (
    SELECT s.did, s.nonce, s.until, s.place,
      row_number() OVER (PARTITION BY s.did, s.nonce ORDER BY s.place) AS turn
    FROM unnest(p_dids, p_nonces, p_untils) WITH ORDINALITY AS s (did, nonce, until, place)
    WHERE s.nonce IS NOT NULL
  ), claimed AS (
    INSERT INTO "Nonce" (did, nonce, "expiresAt")
    SELECT s.did, s.nonce, s.until FROM shown s
    WHERE s.turn = 1
      AND NOT EXISTS (SELECT FROM "Nonce" n WHERE n.did = s.did AND n.nonce = s.nonce OFFSET 0)
    ON CONFLICT DO NOTHING RETURNING did, nonce
  )
  SELECT coalesce(array_agg(s.place), '{}') INTO v_used
  FROM shown s LEFT JOIN claimed c ON c.did = s.did AND c.nonce = s.nonce AND s.turn = 1
  WHERE c.did IS NULL;
  PERFORM set_config('gateway.claiming', '', true);
  RETURN v_used;
END $$;

-- Many admissions in one statement, in the order in which they were asked. As `admit` did for one: exact
-- over any trailing window, and whoever shows a nonce a second time counts for nothing. Nonces before
-- windows, each in the order of their keys: two instances that admit the same callers never wait for each
-- other in a circle. Instances of the release before call `admit` until they are replaced; it stays for them.
-- Each row is looked up by its key, however small its table was when the plan was made.
CREATE FUNCTION admit_all(
  p_dids text[], p_nonces text[], p_untils timestamptz[],
  p_callers text[], p_classes text[], p_limits integer[], p_ats timestamptz[], p_window interval,
  p_patience text
) RETURNS TABLE (place bigint, fresh boolean, admitted boolean, remaining integer, "resetAt" timestamptz)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  v_stale bigint[];
  v_missing integer;
  v_at timestamptz;
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);
  v_stale := claim_nonces(p_dids, p_nonces, p_untils);

  -- All windows, ours until the end. One that is swept away meanwhile is made anew.
  LOOP
    SELECT count(*) FILTER (WHERE w.caller IS NULL) INTO v_missing
    FROM (SELECT DISTINCT a.caller, a.class
          FROM unnest(p_callers, p_classes) WITH ORDINALITY AS a (caller, class, place)
          WHERE a.place <> ALL (v_stale) ORDER BY a.caller, a.class) k
    LEFT JOIN LATERAL (
      SELECT w.caller FROM "RateWindow" w WHERE w.caller = k.caller AND w.class = k.class FOR UPDATE) w ON true;
    EXIT WHEN v_missing = 0;

    INSERT INTO "RateWindow" (caller, class)
    SELECT DISTINCT a.caller, a.class
    FROM unnest(p_callers, p_classes) WITH ORDINALITY AS a (caller, class, place)
    WHERE a.place <> ALL (v_stale)
      AND NOT EXISTS (SELECT FROM "RateWindow" w WHERE w.caller = a.caller AND w.class = a.class)
    ORDER BY a.caller, a.class
    ON CONFLICT DO NOTHING;
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
    CROSS JOIN LATERAL (
      SELECT * FROM "RateWindow" w WHERE w.caller = k.caller AND w.class = k.class LIMIT 1) w
    CROSS JOIN LATERAL (
      SELECT CASE WHEN w.next > 0 THEN w.next ELSE coalesce(
        (SELECT max(h.number) + 1 FROM "RateHit" h WHERE h.caller = w.caller AND h.class = w.class), 0)
      END AS next) n
    LEFT JOIN LATERAL (
      SELECT h.number, h."admittedAt" FROM "RateHit" h
      WHERE h.caller = w.caller AND h.class = w.class AND h.number >= w.oldest
        AND h."admittedAt" + p_window > v_at
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
      AND h."admittedAt" + p_window > v_at
    ORDER BY h.number LIMIT 1) f ON true
  WHERE a.place = ANY (v_stale);
END $$;
