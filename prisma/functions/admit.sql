-- Claims the nonces of many requests and counts each against its caller's limit, where it has one. Of what they may
-- lock, all batches lock the same things in the same order, so that no two wait for each other. Tells which revisions
-- of the signer and of the profile this was at; does nothing for a request that was recognised by another revision.
-- A read may bring its event, decided by what both revisions were: it is recorded where they still are that.
CREATE OR REPLACE FUNCTION admit(p_dids text[], p_nonces text[], p_untils timestamptz[],
  p_callers text[], p_classes text[], p_limits integer[], p_ats timestamptz[], p_window interval, p_patience text,
  p_signers text[], p_revisions bigint[], p_profiles text[], p_events json)
RETURNS TABLE (place bigint, known boolean, fresh boolean, admitted boolean, remaining integer, "resetAt" timestamptz,
  "signerRevision" text, "profileRevision" text, recorded boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  v_signers bigint[];
  v_profiles bigint[];
  v_unknown bigint[];
  v_stale bigint[] := '{}';
  v_unchanged bigint[];
  v_recorded bigint[] := '{}';
  v_now timestamptz;
  v_at timestamptz[];
  v_hits integer[];
  v_used integer;
  v_taken integer;
  v_turn integer;
  v_slot timestamptz;
  v_reset timestamptz;
  n record;
  w record;
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);

  v_signers := ARRAY(SELECT coalesce((SELECT revision FROM "Agent" WHERE did = s.did), (SELECT revision FROM "Profile" WHERE did = s.did))
    FROM unnest(p_signers) WITH ORDINALITY AS s (did, place) ORDER BY s.place);
  v_profiles := ARRAY(SELECT (SELECT revision FROM "Profile" WHERE did = s.did)
    FROM unnest(p_profiles) WITH ORDINALITY AS s (did, place) ORDER BY s.place);
  v_unknown := ARRAY(SELECT s.place FROM unnest(p_revisions) WITH ORDINALITY AS s (revision, place)
    WHERE s.revision IS NOT NULL AND v_signers[s.place] IS DISTINCT FROM s.revision);
  v_unchanged := ARRAY(SELECT e.place FROM json_to_recordset(p_events) AS e (place bigint, signer bigint, profile bigint)
    WHERE v_signers[e.place] = e.signer AND v_profiles[e.place] = e.profile);

  -- Of the same nonce twice, the first counts.
  FOR n IN SELECT * FROM unnest(p_dids, p_nonces, p_untils) WITH ORDINALITY AS s (did, nonce, until, place)
           WHERE s.nonce IS NOT NULL AND s.place <> ALL (v_unknown) ORDER BY s.did, s.nonce, s.place LOOP
    INSERT INTO "Nonce" (did, nonce, "expiresAt") VALUES (n.did, n.nonce, n.until) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN v_stale := v_stale || n.place; END IF;
  END LOOP;

  -- Of two limits for the same window, as where one is just being changed, the lower.
  FOR w IN SELECT a.caller, a.class, min(a.quota) AS quota, max(a.at) AS at, array_agg(a.place ORDER BY a.place) AS places,
             count(*) FILTER (WHERE a.place <> ALL (v_stale) AND a.place <> ALL (v_unknown)) AS fresh
           FROM unnest(p_callers, p_classes, p_limits, p_ats) WITH ORDINALITY AS a (caller, class, quota, at, place)
           GROUP BY a.caller, a.class ORDER BY a.caller, a.class LOOP
    v_now := coalesce(w.at, clock_timestamp());
    v_used := 0;
    v_taken := w.fresh;
    v_reset := NULL;
    -- Without a limit nothing is counted: another engine does.
    IF w.quota IS NOT NULL THEN
      SELECT r.at, r.hits INTO v_at, v_hits FROM "RateWindow" r WHERE r.caller = w.caller AND r.class = w.class FOR UPDATE;
      IF NOT FOUND AND w.fresh > 0 THEN
        INSERT INTO "RateWindow" AS r (caller, class, "expiresAt") VALUES (w.caller, w.class, v_now + p_window)
        ON CONFLICT (caller, class) DO UPDATE SET class = r.class RETURNING r.at, r.hits INTO v_at, v_hits;
      END IF;
      SELECT coalesce(array_agg(h.at ORDER BY h.at), '{}'), coalesce(array_agg(h.hits ORDER BY h.at), '{}'), coalesce(sum(h.hits), 0)
      INTO v_at, v_hits, v_used FROM unnest(v_at, v_hits) AS h (at, hits) WHERE h.at + p_window > v_now;

      v_taken := least(w.fresh, greatest(0, w.quota - v_used));
      IF v_taken > 0 THEN
        -- A high limit counts by the half minute, rounded up, so that its row stays short.
        v_slot := CASE WHEN w.quota <= 120 THEN v_now ELSE to_timestamp(ceil(extract(epoch FROM v_now) / 30) * 30) END;
        v_slot := greatest(v_slot, v_at[cardinality(v_at)]);
        IF v_slot = v_at[cardinality(v_at)] THEN
          v_hits[cardinality(v_hits)] := v_hits[cardinality(v_hits)] + v_taken;
        ELSE
          v_at := v_at || v_slot;
          v_hits := v_hits || v_taken;
        END IF;
        -- A refusal writes nothing.
        UPDATE "RateWindow" r SET at = v_at, hits = v_hits, "expiresAt" = v_slot + p_window
        WHERE r.caller = w.caller AND r.class = w.class;
      END IF;

      -- Above a limit that was lowered, several hits have to leave before there is room again.
      SELECT min(h.at) INTO v_reset
      FROM (SELECT s.at, sum(s.hits) OVER (ORDER BY s.at) AS upto FROM unnest(v_at, v_hits) AS s (at, hits)) h
      WHERE h.upto >= least(v_used + v_taken, greatest(1, v_used + v_taken - w.quota + 1));
    END IF;
    "resetAt" := coalesce(v_reset, v_now) + p_window;
    v_turn := 0;
    FOREACH place IN ARRAY w.places LOOP
      known := place <> ALL (v_unknown);
      fresh := known AND place <> ALL (v_stale);
      "signerRevision" := v_signers[place];
      "profileRevision" := v_profiles[place];
      IF fresh THEN v_turn := v_turn + 1; END IF;
      admitted := fresh AND v_turn <= v_taken;
      recorded := admitted AND place = ANY (v_unchanged);
      IF recorded THEN v_recorded := v_recorded || place; END IF;
      remaining := greatest(0, w.quota - v_used - least(v_turn, v_taken));
      RETURN NEXT;
    END LOOP;
  END LOOP;

  INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, asked, granted, denied, items, reasons,
    "purposeType", "receiptId", "subjectId", detail, "requestId")
  SELECT r.id, r."profileId", r.at, r.actor, r."actorId", r.verb, r.outcome, r.asked, r.granted, r.denied, r.items, r.reasons,
    r."purposeType", r."receiptId", r."subjectId", r.detail, r."requestId"
  FROM json_to_recordset(p_events) AS e (place bigint, event json)
  CROSS JOIN LATERAL json_populate_record(NULL::"AccessEvent", e.event) r
  WHERE e.place = ANY (v_recorded);
END $$;
