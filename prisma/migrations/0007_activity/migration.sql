-- The log narrowed, counted by day and read page by page, from this index alone.
CREATE INDEX "AccessEvent_shown_idx" ON "AccessEvent" ("profileId", "at" DESC, "id" DESC, "verb", "outcome", "actorId");
DROP INDEX "AccessEvent_profileId_at_id_idx";

-- When the owner was here last, and when before that: what changed since is counted from there.
ALTER TABLE "Profile"
  ADD COLUMN "visitedAt" TIMESTAMPTZ(3),
  ADD COLUMN "visitedBefore" TIMESTAMPTZ(3);
