-- What the guard saw in a claim, what it is compared by, and what its owner rejected.

-- CreateEnum
CREATE TYPE "Approver" AS ENUM ('owner', 'rule', 'reviewer');

-- CreateEnum
CREATE TYPE "ClaimedPrecision" AS ENUM ('instant', 'day', 'month', 'year', 'none');

-- AlterTable
ALTER TABLE "Memory" ADD COLUMN     "approvedBy" "Approver" NOT NULL DEFAULT 'owner',
ADD COLUMN     "flags" VARCHAR(16)[] DEFAULT ARRAY[]::VARCHAR(16)[],
ADD COLUMN     "likeText" VARCHAR(2000);

-- AlterTable
ALTER TABLE "Profile" ADD COLUMN     "rejectionKey" BYTEA;

-- AlterTable
ALTER TABLE "Proposal" ADD COLUMN     "flags" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "guardVersion" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "likeText" VARCHAR(2000),
ADD COLUMN     "batchId" VARCHAR(32),
ADD COLUMN     "claimed" VARCHAR(40),
ADD COLUMN     "claimedPrecision" "ClaimedPrecision";

-- CreateTable
CREATE TABLE "ImportBatch" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "agentDid" VARCHAR(144) NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "format" VARCHAR(32) NOT NULL,
    "warning" VARCHAR(300),
    "items" INTEGER NOT NULL,
    "known" INTEGER NOT NULL,
    "leftOut" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "undoneAt" TIMESTAMPTZ(3),

    CONSTRAINT "ImportBatch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Rejection" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "agentDid" VARCHAR(144) NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "category" VARCHAR(128) NOT NULL,
    "reason" VARCHAR(500),
    "proposalId" VARCHAR(32),
    "rejectedAt" TIMESTAMPTZ(3) NOT NULL,
    "timesMet" INTEGER NOT NULL DEFAULT 0,
    "lastMetAt" TIMESTAMPTZ(3),

    CONSTRAINT "Rejection_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Rejection_proposalId_key" ON "Rejection"("proposalId");

-- CreateIndex
CREATE INDEX "Rejection_profileId_fingerprint_idx" ON "Rejection"("profileId", "fingerprint");

-- CreateIndex
CREATE UNIQUE INDEX "Rejection_profileId_agentDid_fingerprint_key" ON "Rejection"("profileId", "agentDid", "fingerprint");

-- CreateIndex
CREATE INDEX "Memory_unread_idx" ON "Memory"("profileId") WHERE ("likeText" IS NULL AND "deletedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Proposal_unread_idx" ON "Proposal"("guardVersion", "id") WHERE (status = 'pending'::"ProposalStatus");

-- CreateIndex
CREATE INDEX "Proposal_uncompared_idx" ON "Proposal"("id") WHERE ("likeText" IS NULL AND status = 'pending'::"ProposalStatus");

-- CreateIndex
CREATE UNIQUE INDEX "ImportBatch_agentDid_key" ON "ImportBatch"("agentDid");

-- CreateIndex
CREATE INDEX "ImportBatch_profileId_createdAt_idx" ON "ImportBatch"("profileId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Proposal_batchId_idx" ON "Proposal"("batchId") WHERE ("batchId" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "ImportBatch" ADD CONSTRAINT "ImportBatch_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_batchId_fkey" FOREIGN KEY ("batchId") REFERENCES "ImportBatch"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Rejection" ADD CONSTRAINT "Rejection_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Rejection" ADD CONSTRAINT "Rejection_proposalId_fkey" FOREIGN KEY ("proposalId") REFERENCES "Proposal"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "Profile"
  ADD CONSTRAINT "Profile_rejectionKey_sha256" CHECK (octet_length("rejectionKey") = 32);
ALTER TABLE "Proposal"
  ADD CONSTRAINT "Proposal_claimed_whole" CHECK ((claimed IS NULL) = ("claimedPrecision" IS NULL)),
  ADD CONSTRAINT "Proposal_flags_listed" CHECK (jsonb_typeof(flags) = 'array');
ALTER TABLE "Rejection"
  ADD CONSTRAINT "Rejection_fingerprint_sha256" CHECK (octet_length(fingerprint) = 32);

-- The nearest by the text that is compared, which knows every script.
DROP INDEX "Memory_nearest_idx";
DROP INDEX "Proposal_nearest_idx";
CREATE INDEX "Memory_nearest_idx" ON "Memory" USING gist
  ("profileId", "likeText" gist_trgm_ops (siglen = 64))
  WHERE "likeText" IS NOT NULL AND "archivedAt" IS NULL AND "deletedAt" IS NULL;
CREATE INDEX "Proposal_nearest_idx" ON "Proposal" USING gist
  ("profileId", "likeText" gist_trgm_ops (siglen = 64))
  WHERE "likeText" IS NOT NULL AND status = 'pending';

-- Answers with more columns: prisma/functions makes it new.
DROP FUNCTION IF EXISTS propose_all(json, integer, text);

-- What an import has already, by the text as lib/services/proposals/same-text.ts compares it.
CREATE INDEX "Proposal_pending_text_idx" ON "Proposal"
  ("profileId", hashtextextended(lower(btrim(content, E' \t\n\r')), 0)) WHERE status = 'pending';
