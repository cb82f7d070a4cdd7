-- What the dashboard looks for and gives back.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- A memory that is restored is archived again where it was.
ALTER TABLE "MemoryRevision" ADD COLUMN "archivedAt" TIMESTAMPTZ(3);

-- By parts of words, and by words.
CREATE INDEX "Memory_similar_idx" ON "Memory" USING GIN ("profileId", "content" gin_trgm_ops);
CREATE INDEX "Memory_words_idx" ON "Memory" USING GIN ("profileId", to_tsvector('simple', content));
CREATE INDEX "Proposal_similar_idx" ON "Proposal" USING GIN ("profileId", "content" gin_trgm_ops)
  WHERE (status = 'pending'::"ProposalStatus");

-- What was decided, by its decision; what ran out, by its end.
CREATE INDEX "Proposal_decided_idx" ON "Proposal" ("profileId", coalesce("reviewedAt", "expiresAt") DESC, id DESC);
