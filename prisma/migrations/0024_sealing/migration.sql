-- Sealing writes every event once more, and comparing all of its words before and after took half of that.
-- Which columns a statement sets, PostgreSQL knows without looking at the row: what an event tells cannot be
-- set at all, and its place and hash only once.
DROP TRIGGER "AccessEvent_append_only" ON "AccessEvent";
CREATE TRIGGER "AccessEvent_append_only" BEFORE DELETE OR UPDATE OF
  "id", "profileId", "at", "actor", "actorId", "verb", "outcome", "asked", "granted", "denied", "items",
  "reasons", "purposeType", "receiptId", "subjectId", "detail", "requestId"
  ON "AccessEvent" FOR EACH ROW EXECUTE FUNCTION "keepAccessEvent"();
CREATE TRIGGER "AccessEvent_sealed_once" BEFORE UPDATE OF "position", "hash" ON "AccessEvent"
  FOR EACH ROW WHEN (OLD."hash" IS NOT NULL) EXECUTE FUNCTION "keepAccessEvent"();
