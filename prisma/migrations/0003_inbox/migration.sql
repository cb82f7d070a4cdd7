-- What the inbox compares, sorts and finds.

CREATE EXTENSION IF NOT EXISTS btree_gist;

-- A memory that another one took the place of, so that this can be taken back.
ALTER TABLE "Memory" ADD COLUMN "replacedById" VARCHAR(32);
CREATE INDEX "Memory_replacedById_idx" ON "Memory" ("replacedById") WHERE ("replacedById" IS NOT NULL);

-- The nearest texts in order of likeness. Of their beginnings: an entry of GiST must fit a page.
CREATE INDEX "Memory_nearest_idx" ON "Memory"
  USING GIST ("profileId", left(content, 500) gist_trgm_ops(siglen=64))
  WHERE ("archivedAt" IS NULL AND "deletedAt" IS NULL);
CREATE INDEX "Proposal_nearest_idx" ON "Proposal"
  USING GIST ("profileId", left(content, 500) gist_trgm_ops(siglen=64))
  WHERE (status = 'pending'::"ProposalStatus");

-- What was decided, by parts of words.
CREATE INDEX "Proposal_decided_similar_idx" ON "Proposal" USING GIN ("profileId", content gin_trgm_ops)
  WHERE (status <> 'pending'::"ProposalStatus");

-- The orders in which proposals wait.
CREATE INDEX "Proposal_expiring_idx" ON "Proposal" ("profileId", "expiresAt", id)
  WHERE (status = 'pending'::"ProposalStatus");
CREATE INDEX "Proposal_confident_idx" ON "Proposal" ("profileId", confidence DESC, id DESC)
  WHERE (status = 'pending'::"ProposalStatus");
