-- Access events are in one table again. Every query had to consider every partition, and a partition could go
-- only once its last event had been dropped one by one anyway. This copies all events: there is no release yet
-- that has many.
LOCK TABLE "AccessEvent";
ALTER TABLE "AccessEvent" RENAME TO "AccessEvent_parts";
CREATE TABLE "AccessEvent" (LIKE "AccessEvent_parts" INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
INSERT INTO "AccessEvent" SELECT * FROM "AccessEvent_parts";
DROP TABLE "AccessEvent_parts";

ALTER TABLE "AccessEvent" ADD CONSTRAINT "AccessEvent_pkey" PRIMARY KEY ("id");
CREATE INDEX "AccessEvent_profileId_position_idx" ON "AccessEvent" ("profileId", "position");
CREATE INDEX "AccessEvent_shown_idx" ON "AccessEvent" ("profileId", at DESC, id DESC, verb, outcome, "actorId");
CREATE INDEX "AccessEvent_profileId_actorId_at_idx" ON "AccessEvent" ("profileId", "actorId", at DESC);
CREATE INDEX "AccessEvent_unsealed_idx" ON "AccessEvent" (at, id) WHERE (hash IS NULL);
CREATE TRIGGER "AccessEvent_append_only" BEFORE DELETE OR UPDATE OF
  "id", "profileId", "at", "actor", "actorId", "verb", "outcome", "asked", "granted", "denied", "items",
  "reasons", "purposeType", "receiptId", "subjectId", "detail", "requestId"
  ON "AccessEvent" FOR EACH ROW EXECUTE FUNCTION "keepAccessEvent"();
CREATE TRIGGER "AccessEvent_sealed_once" BEFORE UPDATE OF "position", "hash" ON "AccessEvent"
  FOR EACH ROW WHEN (OLD."hash" IS NOT NULL) EXECUTE FUNCTION "keepAccessEvent"();
CREATE TRIGGER "AccessEvent_no_truncate" BEFORE TRUNCATE ON "AccessEvent"
  FOR EACH STATEMENT EXECUTE FUNCTION "keepAccessEvent"();
