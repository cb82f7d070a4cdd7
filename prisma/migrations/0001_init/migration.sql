-- Extensions first: the indexes below need them.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What prisma/schema.prisma says, as `prisma migrate diff` writes it.

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('user', 'admin');

-- CreateEnum
CREATE TYPE "UserState" AS ENUM ('active', 'suspended');

-- CreateEnum
CREATE TYPE "LinkPurpose" AS ENUM ('first_admin', 'invitation', 'password_reset');

-- CreateEnum
CREATE TYPE "ProfileType" AS ENUM ('human', 'agent', 'entity');

-- CreateEnum
CREATE TYPE "ProfileState" AS ENUM ('active', 'suspended');

-- CreateEnum
CREATE TYPE "MemorySource" AS ENUM ('owner', 'agent', 'imported');

-- CreateEnum
CREATE TYPE "RevisionCause" AS ENUM ('created', 'edited', 'moved', 'replaced', 'archived', 'deleted', 'restored');

-- CreateEnum
CREATE TYPE "ProposalStatus" AS ENUM ('pending', 'approved', 'rejected');

-- CreateEnum
CREATE TYPE "AgentState" AS ENUM ('pending', 'active', 'suspended');

-- CreateEnum
CREATE TYPE "AgentOrigin" AS ENUM ('itself', 'user', 'admin');

-- CreateEnum
CREATE TYPE "Permission" AS ENUM ('read', 'propose');

-- CreateEnum
CREATE TYPE "PolicyOrigin" AS ENUM ('owner', 'template', 'consent', 'token');

-- CreateEnum
CREATE TYPE "ConsentStatus" AS ENUM ('pending', 'granted', 'denied');

-- CreateEnum
CREATE TYPE "ActorKind" AS ENUM ('agent', 'owner', 'admin', 'system');

-- CreateTable
CREATE TABLE "User" (
    "id" VARCHAR(32) NOT NULL,
    "email" VARCHAR(254) NOT NULL,
    "name" VARCHAR(100),
    "passwordHash" VARCHAR(255),
    "role" "Role" NOT NULL DEFAULT 'user',
    "state" "UserState" NOT NULL DEFAULT 'active',
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3),
    "resetLinkMadeAt" TIMESTAMPTZ(3),

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Account" (
    "provider" VARCHAR(32) NOT NULL,
    "providerAccountId" VARCHAR(255) NOT NULL,
    "userId" VARCHAR(32) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Account_pkey" PRIMARY KEY ("provider","providerAccountId")
);

-- CreateTable
CREATE TABLE "Session" (
    "tokenHash" BYTEA NOT NULL,
    "id" VARCHAR(32) NOT NULL,
    "userId" VARCHAR(32) NOT NULL,
    "userAgent" VARCHAR(255),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "confirmedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "OneTimeLink" (
    "tokenHash" BYTEA NOT NULL,
    "purpose" "LinkPurpose" NOT NULL,
    "email" VARCHAR(254),
    "userId" VARCHAR(32),
    "role" "Role" NOT NULL DEFAULT 'user',
    "createdBy" VARCHAR(32),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "OneTimeLink_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "Profile" (
    "id" SERIAL NOT NULL,
    "did" VARCHAR(144) NOT NULL,
    "ownerId" VARCHAR(32) NOT NULL,
    "profileType" "ProfileType" NOT NULL DEFAULT 'human',
    "version" VARCHAR(16) NOT NULL DEFAULT '1.0',
    "state" "ProfileState" NOT NULL DEFAULT 'active',
    "common" JSONB NOT NULL DEFAULT '{"preferences": {}}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "visitedAt" TIMESTAMPTZ(3),
    "visitedBefore" TIMESTAMPTZ(3),
    "revision" BIGINT NOT NULL DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint,

    CONSTRAINT "Profile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Transfer" (
    "profileId" INTEGER NOT NULL,
    "fromUserId" VARCHAR(32) NOT NULL,
    "toUserId" VARCHAR(32) NOT NULL,
    "requestedBy" VARCHAR(32),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "effectiveAt" TIMESTAMPTZ(3) NOT NULL,
    "acceptedByOwnerAt" TIMESTAMPTZ(3),
    "acceptedByNewAt" TIMESTAMPTZ(3),

    CONSTRAINT "Transfer_pkey" PRIMARY KEY ("profileId")
);

-- CreateTable
CREATE TABLE "NamedValue" (
    "profileId" INTEGER NOT NULL,
    "category" VARCHAR(128) NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "value" JSONB NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "NamedValue_pkey" PRIMARY KEY ("profileId","category","name")
);

-- CreateTable
CREATE TABLE "Memory" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "category" VARCHAR(128) NOT NULL,
    "content" VARCHAR(10000) NOT NULL,
    "confidence" DOUBLE PRECISION NOT NULL,
    "source" "MemorySource" NOT NULL,
    "agentDid" VARCHAR(144),
    "proposalId" VARCHAR(32),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "archivedAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),
    "replacedById" VARCHAR(32),

    CONSTRAINT "Memory_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MemoryRevision" (
    "id" BIGSERIAL NOT NULL,
    "memoryId" VARCHAR(32) NOT NULL,
    "category" VARCHAR(128) NOT NULL,
    "content" VARCHAR(10000) NOT NULL,
    "confidence" DOUBLE PRECISION NOT NULL,
    "cause" "RevisionCause" NOT NULL,
    "archivedAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),
    "byUserId" VARCHAR(32),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MemoryRevision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Proposal" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "agentDid" VARCHAR(144) NOT NULL,
    "content" VARCHAR(10000) NOT NULL,
    "contentHash" BYTEA NOT NULL,
    "category" VARCHAR(128) NOT NULL,
    "confidence" DOUBLE PRECISION NOT NULL,
    "context" VARCHAR(1000),
    "status" "ProposalStatus" NOT NULL DEFAULT 'pending',
    "proposedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "reviewedAt" TIMESTAMPTZ(3),
    "reviewedBy" VARCHAR(144),
    "reason" VARCHAR(500),
    "imported" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Proposal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Agent" (
    "did" VARCHAR(144) NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "description" VARCHAR(500),
    "operator" VARCHAR(200),
    "state" "AgentState" NOT NULL DEFAULT 'pending',
    "stateReason" VARCHAR(500),
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "ceiling" VARCHAR(128)[] DEFAULT ARRAY['prof:*']::VARCHAR(128)[],
    "limits" JSONB NOT NULL DEFAULT '{}',
    "origin" "AgentOrigin" NOT NULL,
    "registeredBy" VARCHAR(32),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3),
    "revision" BIGINT NOT NULL DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint,

    CONSTRAINT "Agent_pkey" PRIMARY KEY ("did")
);

-- CreateTable
CREATE TABLE "AgentDay" (
    "did" VARCHAR(144) NOT NULL,
    "day" DATE NOT NULL,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "denied" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "AgentDay_pkey" PRIMARY KEY ("did","day")
);

-- CreateTable
CREATE TABLE "Key" (
    "id" VARCHAR(32) NOT NULL,
    "did" VARCHAR(144) NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "label" VARCHAR(100),
    "slot" SMALLINT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "addedBy" VARCHAR(32),

    CONSTRAINT "Key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RetiredDid" (
    "didHash" BYTEA NOT NULL,
    "retiredAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RetiredDid_pkey" PRIMARY KEY ("didHash")
);

-- CreateTable
CREATE TABLE "Policy" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "agentPattern" VARCHAR(144) NOT NULL,
    "verifiedOnly" BOOLEAN NOT NULL DEFAULT false,
    "allow" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "deny" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "permissions" "Permission"[] DEFAULT ARRAY[]::"Permission"[],
    "purposes" VARCHAR(64)[] DEFAULT ARRAY[]::VARCHAR(64)[],
    "maxRetention" VARCHAR(64),
    "receiptSeconds" INTEGER,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "expiresAt" TIMESTAMPTZ(3),
    "origin" "PolicyOrigin" NOT NULL,
    "consentRequestId" VARCHAR(32),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Policy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConsentRequest" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "agentDid" VARCHAR(144) NOT NULL,
    "scopes" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "purposeType" VARCHAR(64) NOT NULL,
    "purposeDescription" VARCHAR(500),
    "legalBasis" VARCHAR(64),
    "retention" VARCHAR(64),
    "status" "ConsentStatus" NOT NULL DEFAULT 'pending',
    "grantedScopes" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "timesAsked" INTEGER NOT NULL DEFAULT 1,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),
    "refusedUntil" TIMESTAMPTZ(3),

    CONSTRAINT "ConsentRequest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Receipt" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "agentDid" VARCHAR(144) NOT NULL,
    "grantedScopes" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "deniedScopes" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "purposeType" VARCHAR(64) NOT NULL,
    "purposeDescription" VARCHAR(500),
    "legalBasis" VARCHAR(64),
    "retention" VARCHAR(64),
    "grantedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Receipt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConnectionToken" (
    "id" VARCHAR(32) NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "policyId" VARCHAR(32),
    "lastFour" CHAR(4) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "agentDid" VARCHAR(144) NOT NULL,
    "label" VARCHAR(100),
    "scopes" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "permissions" "Permission"[] DEFAULT ARRAY[]::"Permission"[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ConnectionToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Nonce" (
    "did" VARCHAR(144) NOT NULL,
    "nonce" VARCHAR(128) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Nonce_pkey" PRIMARY KEY ("did","nonce")
);

-- CreateTable
CREATE TABLE "RateWindow" (
    "caller" VARCHAR(160) NOT NULL,
    "class" VARCHAR(32) NOT NULL,
    "at" TIMESTAMPTZ(6)[] DEFAULT ARRAY[]::TIMESTAMPTZ(6)[],
    "hits" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "expiresAt" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "RateWindow_pkey" PRIMARY KEY ("caller","class")
);

-- CreateTable
CREATE TABLE "AccessEvent" (
    "id" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" "ActorKind" NOT NULL,
    "actorId" VARCHAR(144) NOT NULL,
    "verb" VARCHAR(64) NOT NULL,
    "outcome" VARCHAR(16) NOT NULL,
    "asked" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "granted" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "denied" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "items" JSONB NOT NULL DEFAULT '{}',
    "reasons" JSONB NOT NULL DEFAULT '[]',
    "purposeType" VARCHAR(64),
    "receiptId" VARCHAR(32),
    "subjectId" VARCHAR(144),
    "detail" JSONB NOT NULL DEFAULT '{}',
    "requestId" VARCHAR(64) NOT NULL,
    "position" BIGINT,
    "hash" BYTEA,

    CONSTRAINT "AccessEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Seal" (
    "profileId" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "sealedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Seal_pkey" PRIMARY KEY ("profileId","position")
);

-- CreateTable
CREATE TABLE "AdminEvent" (
    "id" VARCHAR(32) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "adminId" VARCHAR(32) NOT NULL,
    "verb" VARCHAR(64) NOT NULL,
    "subjectId" VARCHAR(144),
    "before" JSONB,
    "after" JSONB,
    "requestId" VARCHAR(64) NOT NULL,

    CONSTRAINT "AdminEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Setting" (
    "key" VARCHAR(64) NOT NULL,
    "value" JSONB NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedBy" VARCHAR(32),

    CONSTRAINT "Setting_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Job" (
    "name" VARCHAR(64) NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "failure" VARCHAR(500),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "progress" JSONB,

    CONSTRAINT "Job_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE INDEX "User_createdAt_id_idx" ON "User"("createdAt", "id");

-- CreateIndex
CREATE INDEX "User_role_idx" ON "User"("role") WHERE (role = 'admin'::"Role");

-- CreateIndex
CREATE UNIQUE INDEX "Account_userId_provider_key" ON "Account"("userId", "provider");

-- CreateIndex
CREATE UNIQUE INDEX "Session_id_key" ON "Session"("id");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "OneTimeLink_userId_key" ON "OneTimeLink"("userId");

-- CreateIndex
CREATE INDEX "OneTimeLink_expiresAt_idx" ON "OneTimeLink"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Profile_did_key" ON "Profile"("did");

-- CreateIndex
CREATE INDEX "Profile_ownerId_idx" ON "Profile"("ownerId");

-- CreateIndex
CREATE INDEX "Profile_createdAt_id_idx" ON "Profile"("createdAt", "id");

-- CreateIndex
CREATE INDEX "Transfer_fromUserId_idx" ON "Transfer"("fromUserId");

-- CreateIndex
CREATE INDEX "Transfer_toUserId_idx" ON "Transfer"("toUserId");

-- CreateIndex
CREATE INDEX "Transfer_requestedBy_idx" ON "Transfer"("requestedBy");

-- CreateIndex
CREATE INDEX "Transfer_effectiveAt_idx" ON "Transfer"("effectiveAt") WHERE ("acceptedByNewAt" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "Memory_proposalId_key" ON "Memory"("proposalId");

-- CreateIndex
CREATE INDEX "Memory_live_idx" ON "Memory"("profileId", "createdAt" DESC, "id" DESC) WHERE ("archivedAt" IS NULL AND "deletedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Memory_live_category_idx" ON "Memory"("profileId", "category", "createdAt" DESC, "id" DESC) WHERE ("archivedAt" IS NULL AND "deletedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Memory_deletedAt_idx" ON "Memory"("deletedAt") WHERE ("deletedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Memory_replacedById_idx" ON "Memory"("replacedById") WHERE ("replacedById" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Memory_profileId_id_idx" ON "Memory"("profileId", "id");

-- CreateIndex
CREATE INDEX "MemoryRevision_memoryId_id_idx" ON "MemoryRevision"("memoryId", "id");

-- CreateIndex
CREATE INDEX "Proposal_profileId_proposedAt_id_idx" ON "Proposal"("profileId", "proposedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Proposal_profileId_status_proposedAt_id_idx" ON "Proposal"("profileId", "status", "proposedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Proposal_profileId_agentDid_proposedAt_id_idx" ON "Proposal"("profileId", "agentDid", "proposedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Proposal_made_here_idx" ON "Proposal"("agentDid", "status") WHERE (NOT imported);

-- CreateIndex
CREATE INDEX "Proposal_expiresAt_idx" ON "Proposal"("expiresAt") WHERE (status = 'pending'::"ProposalStatus");

-- CreateIndex
CREATE INDEX "Proposal_expiring_idx" ON "Proposal"("profileId", "expiresAt", "id") WHERE (status = 'pending'::"ProposalStatus");

-- CreateIndex
CREATE INDEX "Proposal_confident_idx" ON "Proposal"("profileId", "confidence" DESC, "id" DESC) WHERE (status = 'pending'::"ProposalStatus");

-- CreateIndex
CREATE UNIQUE INDEX "Proposal_profileId_agentDid_category_contentHash_key" ON "Proposal"("profileId", "agentDid", "category", "contentHash") WHERE (status = 'pending'::"ProposalStatus");

-- CreateIndex
CREATE INDEX "Agent_state_createdAt_did_idx" ON "Agent"("state", "createdAt", "did");

-- CreateIndex
CREATE INDEX "Agent_registeredBy_idx" ON "Agent"("registeredBy") WHERE ("registeredBy" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Key_addedBy_idx" ON "Key"("addedBy") WHERE ("addedBy" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "Key_did_publicKey_key" ON "Key"("did", "publicKey");

-- CreateIndex
CREATE UNIQUE INDEX "Key_did_slot_key" ON "Key"("did", "slot");

-- CreateIndex
CREATE INDEX "Policy_profileId_idx" ON "Policy"("profileId");

-- CreateIndex
CREATE INDEX "Policy_agentPattern_idx" ON "Policy"("agentPattern");

-- CreateIndex
CREATE INDEX "Policy_consentRequestId_idx" ON "Policy"("consentRequestId");

-- CreateIndex
CREATE INDEX "ConsentRequest_refused_idx" ON "ConsentRequest"("profileId", "agentDid", "purposeType", "refusedUntil") WHERE ("refusedUntil" IS NOT NULL);

-- CreateIndex
CREATE INDEX "ConsentRequest_profileId_status_requestedAt_idx" ON "ConsentRequest"("profileId", "status", "requestedAt" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "ConsentRequest_profileId_agentDid_purposeType_key" ON "ConsentRequest"("profileId", "agentDid", "purposeType") WHERE (status = 'pending'::"ConsentStatus");

-- CreateIndex
CREATE INDEX "Receipt_profileId_agentDid_expiresAt_idx" ON "Receipt"("profileId", "agentDid", "expiresAt" DESC);

-- CreateIndex
CREATE INDEX "Receipt_profileId_grantedAt_id_idx" ON "Receipt"("profileId", "grantedAt" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "ConnectionToken_tokenHash_key" ON "ConnectionToken"("tokenHash");

-- CreateIndex
CREATE INDEX "ConnectionToken_profileId_createdAt_idx" ON "ConnectionToken"("profileId", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "ConnectionToken_profileId_agentDid_idx" ON "ConnectionToken"("profileId", "agentDid");

-- CreateIndex
CREATE INDEX "ConnectionToken_policyId_idx" ON "ConnectionToken"("policyId");

-- CreateIndex
CREATE INDEX "Nonce_expiresAt_idx" ON "Nonce"("expiresAt");

-- CreateIndex
CREATE INDEX "RateWindow_expiresAt_idx" ON "RateWindow"("expiresAt");

-- CreateIndex
CREATE INDEX "AccessEvent_profileId_position_idx" ON "AccessEvent"("profileId", "position");

-- CreateIndex
CREATE INDEX "AccessEvent_shown_idx" ON "AccessEvent"("profileId", "at" DESC, "id" DESC, "verb", "outcome", "actorId");

-- CreateIndex
CREATE INDEX "AccessEvent_profileId_actorId_at_idx" ON "AccessEvent"("profileId", "actorId", "at" DESC);

-- CreateIndex
CREATE INDEX "AccessEvent_unsealed_idx" ON "AccessEvent"("at", "id") WHERE (hash IS NULL);

-- CreateIndex
CREATE INDEX "AdminEvent_at_id_idx" ON "AdminEvent"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AdminEvent_adminId_at_id_idx" ON "AdminEvent"("adminId", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AdminEvent_subjectId_at_id_idx" ON "AdminEvent"("subjectId", "at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "Account" ADD CONSTRAINT "Account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Profile" ADD CONSTRAINT "Profile_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_fromUserId_fkey" FOREIGN KEY ("fromUserId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_toUserId_fkey" FOREIGN KEY ("toUserId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_requestedBy_fkey" FOREIGN KEY ("requestedBy") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "NamedValue" ADD CONSTRAINT "NamedValue_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Memory" ADD CONSTRAINT "Memory_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Memory" ADD CONSTRAINT "Memory_proposalId_fkey" FOREIGN KEY ("proposalId") REFERENCES "Proposal"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MemoryRevision" ADD CONSTRAINT "MemoryRevision_memoryId_fkey" FOREIGN KEY ("memoryId") REFERENCES "Memory"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Policy" ADD CONSTRAINT "Policy_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Policy" ADD CONSTRAINT "Policy_consentRequestId_fkey" FOREIGN KEY ("consentRequestId") REFERENCES "ConsentRequest"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConsentRequest" ADD CONSTRAINT "ConsentRequest_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "Policy"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What Prisma has no words for.

-- Forms of names, for the checks below.
CREATE FUNCTION is_category(name text) RETURNS boolean IMMUTABLE PARALLEL SAFE
RETURN name ~ '^prof:[a-z0-9_-]{1,64}(\.[a-z0-9_-]{1,64})*$';

CREATE FUNCTION is_did(did text, kind text) RETURNS boolean IMMUTABLE PARALLEL SAFE
RETURN did ~ ('^did:prof:' || kind || ':[A-Za-z0-9._-]{1,64}:[A-Za-z0-9._-]{1,64}$');

ALTER TABLE "AccessEvent"
  ADD CONSTRAINT "AccessEvent_sealed_whole" CHECK ((position IS NULL) = (hash IS NULL));
ALTER TABLE "Agent"
  ADD CONSTRAINT "Agent_ceiling_bounded" CHECK (cardinality(ceiling) <= 50),
  ADD CONSTRAINT "Agent_did_form" CHECK (is_did(did, 'agent')),
  ADD CONSTRAINT "Agent_limits_object" CHECK (jsonb_typeof(limits) = 'object');
ALTER TABLE "ConnectionToken"
  ADD CONSTRAINT "ConnectionToken_one_year" CHECK ("expiresAt" > "createdAt" AND "expiresAt" <= "createdAt" + interval '365 days'),
  ADD CONSTRAINT "ConnectionToken_scopes_bounded" CHECK (cardinality(scopes) BETWEEN 1 AND 50),
  ADD CONSTRAINT "ConnectionToken_tokenHash_sha256" CHECK (octet_length("tokenHash") = 32);
ALTER TABLE "ConsentRequest"
  ADD CONSTRAINT "ConsentRequest_decided_once" CHECK ((status = 'pending') = ("decidedAt" IS NULL)),
  ADD CONSTRAINT "ConsentRequest_scopes_bounded" CHECK (cardinality(scopes) BETWEEN 1 AND 50);
ALTER TABLE "Key"
  ADD CONSTRAINT "Key_publicKey_ed25519" CHECK (octet_length("publicKey") = 32),
  ADD CONSTRAINT "Key_slot_five" CHECK (slot BETWEEN 1 AND 5),
  ADD CONSTRAINT "Key_slot_while_active" CHECK ((slot IS NULL) = ("revokedAt" IS NOT NULL));
ALTER TABLE "Memory"
  ADD CONSTRAINT "Memory_agent_named" CHECK (source <> 'agent' OR "agentDid" IS NOT NULL),
  ADD CONSTRAINT "Memory_category_form" CHECK (is_category(category)),
  ADD CONSTRAINT "Memory_confidence_fraction" CHECK (confidence BETWEEN 0 AND 1),
  ADD CONSTRAINT "Memory_content_some" CHECK (length(btrim(content)) >= 1);
ALTER TABLE "NamedValue"
  ADD CONSTRAINT "NamedValue_category_form" CHECK (is_category(category)),
  ADD CONSTRAINT "NamedValue_name_form" CHECK (name ~ '^[A-Za-z0-9_-]{1,64}$'),
  ADD CONSTRAINT "NamedValue_value_size" CHECK (octet_length(value::text) <= 16384);
ALTER TABLE "OneTimeLink"
  ADD CONSTRAINT "OneTimeLink_tokenHash_sha256" CHECK (octet_length("tokenHash") = 32);
ALTER TABLE "Policy"
  ADD CONSTRAINT "Policy_purposes_bounded" CHECK (cardinality(purposes) <= 50),
  ADD CONSTRAINT "Policy_receiptSeconds_positive" CHECK ("receiptSeconds" BETWEEN 1 AND 86400),
  ADD CONSTRAINT "Policy_scopes_bounded" CHECK (cardinality(allow) <= 50 AND cardinality(deny) <= 50);
ALTER TABLE "Profile"
  ADD CONSTRAINT "Profile_common_object" CHECK (jsonb_typeof(common) = 'object'),
  ADD CONSTRAINT "Profile_common_size" CHECK (octet_length(common::text) <= 65536),
  ADD CONSTRAINT "Profile_did_form" CHECK (is_did(did, 'user'));
ALTER TABLE "Proposal"
  ADD CONSTRAINT "Proposal_category_form" CHECK (is_category(category)),
  ADD CONSTRAINT "Proposal_confidence_fraction" CHECK (confidence BETWEEN 0 AND 1),
  ADD CONSTRAINT "Proposal_contentHash_sha256" CHECK (octet_length("contentHash") = 32),
  ADD CONSTRAINT "Proposal_content_some" CHECK (length(btrim(content)) >= 1),
  ADD CONSTRAINT "Proposal_decided_once" CHECK ((status = 'pending') = ("reviewedAt" IS NULL)),
  ADD CONSTRAINT "Proposal_expires_later" CHECK ("expiresAt" > "proposedAt");
ALTER TABLE "Receipt"
  ADD CONSTRAINT "Receipt_one_day" CHECK ("expiresAt" > "grantedAt" AND "expiresAt" <= "grantedAt" + interval '24 hours'),
  ADD CONSTRAINT "Receipt_scopes_bounded" CHECK (cardinality("grantedScopes") BETWEEN 1 AND 50);
ALTER TABLE "RetiredDid"
  ADD CONSTRAINT "RetiredDid_didHash_sha256" CHECK (octet_length("didHash") = 32);
ALTER TABLE "Session"
  ADD CONSTRAINT "Session_tokenHash_sha256" CHECK (octet_length("tokenHash") = 32);
ALTER TABLE "Transfer"
  ADD CONSTRAINT "Transfer_owners_differ" CHECK ("fromUserId" <> "toUserId");
ALTER TABLE "User"
  ADD CONSTRAINT "User_email_lower" CHECK (email = lower(email) AND email LIKE '_%@_%');

-- Searches, what is alike, and what was decided last.
CREATE INDEX "Agent_search_idx" ON "Agent" USING gin (did gin_trgm_ops, name gin_trgm_ops);
CREATE INDEX "Memory_nearest_idx" ON "Memory" USING gist
  ("profileId", left(content, 500) gist_trgm_ops (siglen = 64)) WHERE "archivedAt" IS NULL AND "deletedAt" IS NULL;
-- By the text as lib/services/proposals/same-text.ts compares it.
CREATE INDEX "Memory_same_text_idx" ON "Memory"
  ("profileId", hashtextextended(lower(btrim(content, E' \t\n\r')), 0)) WHERE "archivedAt" IS NULL AND "deletedAt" IS NULL;
CREATE INDEX "Proposal_rejected_text_idx" ON "Proposal"
  ("profileId", hashtextextended(lower(btrim(content, E' \t\n\r')), 0)) WHERE status = 'rejected' AND "reviewedBy" IS NOT NULL;
CREATE INDEX "Memory_similar_idx" ON "Memory" USING gin
  ("profileId", content gin_trgm_ops) WITH (gin_pending_list_limit = 128);
CREATE INDEX "Memory_words_idx" ON "Memory" USING gin
  ("profileId", to_tsvector('simple', content)) WITH (gin_pending_list_limit = 128);
CREATE INDEX "Profile_search_idx" ON "Profile" USING gin (did gin_trgm_ops);
CREATE INDEX "Proposal_decided_idx" ON "Proposal" ("profileId", coalesce("reviewedAt", "expiresAt") DESC, id DESC);
CREATE INDEX "Proposal_decided_similar_idx" ON "Proposal" USING gin
  ("profileId", content gin_trgm_ops) WITH (gin_pending_list_limit = 128) WHERE status <> 'pending';
CREATE INDEX "Proposal_nearest_idx" ON "Proposal" USING gist
  ("profileId", left(content, 500) gist_trgm_ops (siglen = 64)) WHERE status = 'pending';
CREATE INDEX "Proposal_similar_idx" ON "Proposal" USING gin
  ("profileId", content gin_trgm_ops) WITH (gin_pending_list_limit = 128) WHERE status = 'pending';
CREATE INDEX "User_search_idx" ON "User" USING gin (email gin_trgm_ops, name gin_trgm_ops);
