-- Access events stand in partitions by time. What is there already stays where it is, as the one of all that
-- comes before the next month, so nothing is copied. A job makes the next ones ahead; an event of a time
-- that none is for goes to the last one here, so that no event is ever refused.
LOCK TABLE "AccessEvent";
ALTER TABLE "AccessEvent" RENAME TO "AccessEvent_before";
ALTER TABLE "AccessEvent_before" DROP CONSTRAINT "AccessEvent_pkey";
ALTER TABLE "AccessEvent_before" ADD CONSTRAINT "AccessEvent_before_pkey" PRIMARY KEY ("id", "at");
-- A key across partitions would have to contain `at` and then says nothing of places. Who seals holds the
-- lock of sealing, and each sealing is a `Seal`, whose key is the profile and the place.
DROP INDEX "AccessEvent_profileId_position_key";
CREATE INDEX "AccessEvent_before_position_idx" ON "AccessEvent_before" ("profileId", "position");
ALTER INDEX "AccessEvent_shown_idx" RENAME TO "AccessEvent_before_shown_idx";
ALTER INDEX "AccessEvent_profileId_actorId_at_idx" RENAME TO "AccessEvent_before_actorId_idx";
ALTER INDEX "AccessEvent_unsealed_idx" RENAME TO "AccessEvent_before_unsealed_idx";
DROP TRIGGER "AccessEvent_append_only" ON "AccessEvent_before";

CREATE TABLE "AccessEvent" (
  LIKE "AccessEvent_before" INCLUDING DEFAULTS INCLUDING CONSTRAINTS
) PARTITION BY RANGE ("at");
ALTER TABLE "AccessEvent" ADD CONSTRAINT "AccessEvent_pkey" PRIMARY KEY ("id", "at");
CREATE INDEX "AccessEvent_profileId_position_idx" ON "AccessEvent" ("profileId", "position");
CREATE INDEX "AccessEvent_shown_idx" ON "AccessEvent"
  ("profileId", "at" DESC, "id" DESC, "verb", "outcome", "actorId");
CREATE INDEX "AccessEvent_profileId_actorId_at_idx" ON "AccessEvent" ("profileId", "actorId", "at" DESC);
CREATE INDEX "AccessEvent_unsealed_idx" ON "AccessEvent" ("at", "id") WHERE (hash IS NULL);
CREATE TRIGGER "AccessEvent_append_only" BEFORE UPDATE OR DELETE ON "AccessEvent"
  FOR EACH ROW EXECUTE FUNCTION "keepAccessEvent"();
CREATE TRIGGER "AccessEvent_no_truncate" BEFORE TRUNCATE ON "AccessEvent"
  FOR EACH STATEMENT EXECUTE FUNCTION "keepAccessEvent"();

DO $$
DECLARE
  v_until timestamptz := (SELECT date_trunc('month', greatest(now(), max(at)), 'UTC') FROM "AccessEvent_before");
BEGIN
  -- A month as the UTC calendar has it, whatever zone this session is in.
  v_until := ((v_until AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
  EXECUTE format('ALTER TABLE "AccessEvent" ATTACH PARTITION "AccessEvent_before" FOR VALUES FROM (MINVALUE) TO (%L)', v_until);
END $$;

CREATE TABLE "AccessEvent_else" PARTITION OF "AccessEvent" DEFAULT;
CREATE TRIGGER "AccessEvent_no_truncate" BEFORE TRUNCATE ON "AccessEvent_else"
  FOR EACH STATEMENT EXECUTE FUNCTION "keepAccessEvent"();

-- As in 0010_admin, for each row that is dropped. An id alone is no key any more: by the profile, whose
-- index it must not take, it would read the whole log each time.
CREATE OR REPLACE FUNCTION "keepAccessEvent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'TRUNCATE' AND current_setting('gateway.erasing', true) = OLD."profileId"::text THEN
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.hash IS NULL
     AND to_jsonb(NEW) - 'position' - 'hash' = to_jsonb(OLD) - 'position' - 'hash' THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND OLD.position <= (
       SELECT (said.detail->>'through')::bigint FROM "AccessEvent" said
       WHERE said.id = current_setting('gateway.retaining', true) AND said."profileId" + 0 = OLD."profileId"
         AND said.verb = 'dropEvents' AND said.actor = 'system') THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'access events are append-only' USING ERRCODE = 'restrict_violation';
END $$;
