-- Who decides besides the owner: rules that end, other accounts for a while; and what is held apart from deciding.

-- AlterEnum
ALTER TYPE "ActorKind" ADD VALUE 'reviewer';

-- AlterEnum
ALTER TYPE "PolicyOrigin" ADD VALUE 'quarantine';

-- AlterTable
ALTER TABLE "Policy" ADD COLUMN     "resumeAskedAt" TIMESTAMPTZ(3),
ADD COLUMN     "resumeReason" VARCHAR(500);

-- AlterTable
ALTER TABLE "Proposal" ADD COLUMN     "heldAt" TIMESTAMPTZ(3),
ADD COLUMN     "leftByRules" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "reviewerId" VARCHAR(32),
ADD COLUMN     "ruleId" VARCHAR(32);

-- CreateTable
CREATE TABLE "ApproveRule" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "agentDid" VARCHAR(144) NOT NULL,
    "categories" VARCHAR(128)[],
    "confidenceMin" DOUBLE PRECISION NOT NULL,
    "usesMax" SMALLINT NOT NULL,
    "uses" SMALLINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApproveRule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Reviewer" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "userId" VARCHAR(32) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "acceptedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Reviewer_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ApproveRule_profileId_agentDid_createdAt_idx" ON "ApproveRule"("profileId", "agentDid", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "ApproveRule_expiresAt_idx" ON "ApproveRule"("expiresAt") WHERE ("endedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Reviewer_profileId_createdAt_idx" ON "Reviewer"("profileId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "Reviewer_userId_idx" ON "Reviewer"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Reviewer_profileId_userId_key" ON "Reviewer"("profileId", "userId") WHERE ("endedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Proposal_held_idx" ON "Proposal"("agentDid", "id") WHERE ("heldAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Proposal_ruleId_idx" ON "Proposal"("ruleId") WHERE ("ruleId" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Proposal_reviewerId_idx" ON "Proposal"("reviewerId") WHERE ("reviewerId" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "ApproveRule" ADD CONSTRAINT "ApproveRule_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Reviewer" ADD CONSTRAINT "Reviewer_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Reviewer" ADD CONSTRAINT "Reviewer_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "ApproveRule"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_reviewerId_fkey" FOREIGN KEY ("reviewerId") REFERENCES "Reviewer"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "ApproveRule"
  ADD CONSTRAINT "ApproveRule_ends" CHECK ("expiresAt" > "createdAt" AND "expiresAt" <= "createdAt" + interval '30 days'),
  ADD CONSTRAINT "ApproveRule_uses_bounded" CHECK (uses BETWEEN 0 AND "usesMax" AND "usesMax" BETWEEN 1 AND 100),
  ADD CONSTRAINT "ApproveRule_sure" CHECK ("confidenceMin" BETWEEN 0 AND 1),
  ADD CONSTRAINT "ApproveRule_categories_bounded" CHECK (cardinality(categories) BETWEEN 1 AND 20);
ALTER TABLE "Proposal"
  ADD CONSTRAINT "Proposal_held_waits" CHECK ("heldAt" IS NULL OR status = 'pending');
ALTER TABLE "Reviewer"
  ADD CONSTRAINT "Reviewer_ends" CHECK ("expiresAt" > "createdAt" AND "expiresAt" <= "createdAt" + interval '90 days');
