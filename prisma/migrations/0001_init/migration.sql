-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3),

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Account" (
    "provider" VARCHAR(32) NOT NULL,
    "providerAccountId" VARCHAR(255) NOT NULL,
    "userId" VARCHAR(32) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Account_pkey" PRIMARY KEY ("provider","providerAccountId")
);

-- CreateTable
CREATE TABLE "Session" (
    "tokenHash" BYTEA NOT NULL,
    "id" VARCHAR(32) NOT NULL,
    "userId" VARCHAR(32) NOT NULL,
    "userAgent" VARCHAR(255),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "OneTimeLink" (
    "tokenHash" BYTEA NOT NULL,
    "purpose" "LinkPurpose" NOT NULL,
    "email" VARCHAR(254),
    "role" "Role" NOT NULL DEFAULT 'user',
    "createdBy" VARCHAR(32),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Profile_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "NamedValue" (
    "profileId" INTEGER NOT NULL,
    "category" VARCHAR(128) NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "value" JSONB NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "archivedAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),

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
    "byUserId" VARCHAR(32),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "proposedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "reviewedAt" TIMESTAMPTZ(3),
    "reviewedBy" VARCHAR(144),
    "reason" VARCHAR(500),

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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3),

    CONSTRAINT "Agent_pkey" PRIMARY KEY ("did")
);

-- CreateTable
CREATE TABLE "Key" (
    "id" VARCHAR(32) NOT NULL,
    "did" VARCHAR(144) NOT NULL,
    "publicKey" BYTEA NOT NULL,
    "label" VARCHAR(100),
    "slot" SMALLINT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RetiredDid" (
    "didHash" BYTEA NOT NULL,
    "retiredAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "requestedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decidedAt" TIMESTAMPTZ(3),

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
    "grantedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
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
    "oldest" BIGINT NOT NULL DEFAULT 0,
    "next" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "RateWindow_pkey" PRIMARY KEY ("caller","class")
);

-- CreateTable
CREATE TABLE "RateHit" (
    "caller" VARCHAR(160) NOT NULL,
    "class" VARCHAR(32) NOT NULL,
    "number" BIGINT NOT NULL,
    "admittedAt" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "RateHit_pkey" PRIMARY KEY ("caller","class","number")
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
    "sealedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedBy" VARCHAR(32),

    CONSTRAINT "Setting_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Job" (
    "name" VARCHAR(64) NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "failure" VARCHAR(500),

    CONSTRAINT "Job_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE INDEX "User_createdAt_id_idx" ON "User"("createdAt", "id");

-- CreateIndex
CREATE INDEX "User_role_idx" ON "User"("role") WHERE (role = 'admin'::"Role");

-- CreateIndex
CREATE INDEX "Account_userId_idx" ON "Account"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "Session_id_key" ON "Session"("id");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "OneTimeLink_expiresAt_idx" ON "OneTimeLink"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Profile_did_key" ON "Profile"("did");

-- CreateIndex
CREATE INDEX "Profile_ownerId_idx" ON "Profile"("ownerId");

-- CreateIndex
CREATE INDEX "Profile_createdAt_id_idx" ON "Profile"("createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Memory_proposalId_key" ON "Memory"("proposalId");

-- CreateIndex
CREATE INDEX "Memory_live_idx" ON "Memory"("profileId", "createdAt" DESC, "id" DESC) WHERE ("archivedAt" IS NULL AND "deletedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Memory_live_category_idx" ON "Memory"("profileId", "category", "createdAt" DESC, "id" DESC) WHERE ("archivedAt" IS NULL AND "deletedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Memory_deletedAt_idx" ON "Memory"("deletedAt") WHERE ("deletedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "MemoryRevision_memoryId_id_idx" ON "MemoryRevision"("memoryId", "id");

-- CreateIndex
CREATE INDEX "Proposal_profileId_proposedAt_id_idx" ON "Proposal"("profileId", "proposedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Proposal_profileId_status_proposedAt_id_idx" ON "Proposal"("profileId", "status", "proposedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Proposal_profileId_agentDid_proposedAt_id_idx" ON "Proposal"("profileId", "agentDid", "proposedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Proposal_expiresAt_idx" ON "Proposal"("expiresAt") WHERE (status = 'pending'::"ProposalStatus");

-- CreateIndex
CREATE UNIQUE INDEX "Proposal_profileId_agentDid_category_contentHash_key" ON "Proposal"("profileId", "agentDid", "category", "contentHash") WHERE (status = 'pending'::"ProposalStatus");

-- CreateIndex
CREATE INDEX "Agent_state_createdAt_did_idx" ON "Agent"("state", "createdAt", "did");

-- CreateIndex
CREATE UNIQUE INDEX "Key_did_publicKey_key" ON "Key"("did", "publicKey");

-- CreateIndex
CREATE UNIQUE INDEX "Key_did_slot_key" ON "Key"("did", "slot");

-- CreateIndex
CREATE INDEX "Policy_profileId_idx" ON "Policy"("profileId");

-- CreateIndex
CREATE INDEX "Policy_consentRequestId_idx" ON "Policy"("consentRequestId");

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
CREATE INDEX "RateHit_admittedAt_idx" ON "RateHit"("admittedAt");

-- CreateIndex
CREATE INDEX "AccessEvent_profileId_at_id_idx" ON "AccessEvent"("profileId", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AccessEvent_profileId_actorId_at_idx" ON "AccessEvent"("profileId", "actorId", "at" DESC);

-- CreateIndex
CREATE INDEX "AccessEvent_unsealed_idx" ON "AccessEvent"("at", "id") WHERE (hash IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "AccessEvent_profileId_position_key" ON "AccessEvent"("profileId", "position");

-- CreateIndex
CREATE INDEX "AdminEvent_at_id_idx" ON "AdminEvent"("at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "Account" ADD CONSTRAINT "Account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Profile" ADD CONSTRAINT "Profile_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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



-- ---- What Prisma has no word for -----------------------------------------------------------------

CREATE FUNCTION "isCategory"(name text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN name ~ '^prof:[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64})*$';

CREATE FUNCTION "isDid"(did text, kind text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN did ~ ('^did:prof:' || kind || ':[A-Za-z0-9._-]{1,64}:[A-Za-z0-9._-]{1,64}$');

ALTER TABLE "User"
  ADD CONSTRAINT "User_email_lower" CHECK (email = lower(email) AND email LIKE '_%@_%');

ALTER TABLE "Session"
  ADD CONSTRAINT "Session_tokenHash_sha256" CHECK (octet_length("tokenHash") = 32);

ALTER TABLE "OneTimeLink"
  ADD CONSTRAINT "OneTimeLink_tokenHash_sha256" CHECK (octet_length("tokenHash") = 32);

ALTER TABLE "Profile"
  ADD CONSTRAINT "Profile_did_form" CHECK ("isDid"(did, 'user')),
  ADD CONSTRAINT "Profile_common_object" CHECK (jsonb_typeof(common) = 'object'),
  ADD CONSTRAINT "Profile_common_size" CHECK (octet_length(common::text) <= 65536);

ALTER TABLE "NamedValue"
  ADD CONSTRAINT "NamedValue_category_form" CHECK ("isCategory"(category)),
  ADD CONSTRAINT "NamedValue_name_form" CHECK (name ~ '^[A-Za-z0-9_-]{1,64}$'),
  ADD CONSTRAINT "NamedValue_value_size" CHECK (octet_length(value::text) <= 16384);

ALTER TABLE "Memory"
  ADD CONSTRAINT "Memory_category_form" CHECK ("isCategory"(category)),
  ADD CONSTRAINT "Memory_content_some" CHECK (length(btrim(content)) >= 1),
  ADD CONSTRAINT "Memory_confidence_fraction" CHECK (confidence BETWEEN 0 AND 1),
  ADD CONSTRAINT "Memory_agent_named" CHECK (source <> 'agent' OR "agentDid" IS NOT NULL);

ALTER TABLE "Proposal"
  ADD CONSTRAINT "Proposal_category_form" CHECK ("isCategory"(category)),
  ADD CONSTRAINT "Proposal_content_some" CHECK (length(btrim(content)) >= 1),
  ADD CONSTRAINT "Proposal_contentHash_sha256" CHECK (octet_length("contentHash") = 32),
  ADD CONSTRAINT "Proposal_confidence_fraction" CHECK (confidence BETWEEN 0 AND 1),
  ADD CONSTRAINT "Proposal_expires_later" CHECK ("expiresAt" > "proposedAt"),
  ADD CONSTRAINT "Proposal_decided_once" CHECK ((status = 'pending') = ("reviewedAt" IS NULL));

ALTER TABLE "Agent"
  ADD CONSTRAINT "Agent_did_form" CHECK ("isDid"(did, 'agent')),
  ADD CONSTRAINT "Agent_ceiling_bounded" CHECK (cardinality(ceiling) <= 50),
  ADD CONSTRAINT "Agent_limits_object" CHECK (jsonb_typeof(limits) = 'object');

ALTER TABLE "Key"
  ADD CONSTRAINT "Key_publicKey_ed25519" CHECK (octet_length("publicKey") = 32),
  ADD CONSTRAINT "Key_slot_five" CHECK (slot BETWEEN 1 AND 5),
  ADD CONSTRAINT "Key_slot_while_active" CHECK ((slot IS NULL) = ("revokedAt" IS NOT NULL));

ALTER TABLE "RetiredDid"
  ADD CONSTRAINT "RetiredDid_didHash_sha256" CHECK (octet_length("didHash") = 32);

ALTER TABLE "Policy"
  ADD CONSTRAINT "Policy_scopes_bounded" CHECK (cardinality(allow) <= 50 AND cardinality(deny) <= 50),
  ADD CONSTRAINT "Policy_purposes_bounded" CHECK (cardinality(purposes) <= 50),
  ADD CONSTRAINT "Policy_receiptSeconds_positive" CHECK ("receiptSeconds" BETWEEN 1 AND 86400);

ALTER TABLE "ConsentRequest"
  ADD CONSTRAINT "ConsentRequest_scopes_bounded" CHECK (cardinality(scopes) BETWEEN 1 AND 50),
  ADD CONSTRAINT "ConsentRequest_decided_once" CHECK ((status = 'pending') = ("decidedAt" IS NULL));

ALTER TABLE "Receipt"
  ADD CONSTRAINT "Receipt_scopes_bounded" CHECK (cardinality("grantedScopes") BETWEEN 1 AND 50),
  ADD CONSTRAINT "Receipt_one_day" CHECK ("expiresAt" > "grantedAt" AND "expiresAt" <= "grantedAt" + interval '24 hours');

ALTER TABLE "ConnectionToken"
  ADD CONSTRAINT "ConnectionToken_tokenHash_sha256" CHECK (octet_length("tokenHash") = 32),
  ADD CONSTRAINT "ConnectionToken_scopes_bounded" CHECK (cardinality(scopes) BETWEEN 1 AND 50),
  ADD CONSTRAINT "ConnectionToken_one_year" CHECK ("expiresAt" > "createdAt" AND "expiresAt" <= "createdAt" + interval '365 days');

ALTER TABLE "AccessEvent"
  ADD CONSTRAINT "AccessEvent_sealed_whole" CHECK ((position IS NULL) = (hash IS NULL));

-- An event may be sealed once, and erased with its profile (`SET LOCAL gateway.erasing = '<profile id>'`). Nothing else.
CREATE FUNCTION "keepAccessEvent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'TRUNCATE' AND current_setting('gateway.erasing', true) = OLD."profileId"::text THEN
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.hash IS NULL
     AND to_jsonb(NEW) - 'position' - 'hash' = to_jsonb(OLD) - 'position' - 'hash' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'access events are append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "AccessEvent_append_only" BEFORE UPDATE OR DELETE ON "AccessEvent"
  FOR EACH ROW EXECUTE FUNCTION "keepAccessEvent"();
CREATE TRIGGER "AccessEvent_no_truncate" BEFORE TRUNCATE ON "AccessEvent"
  FOR EACH STATEMENT EXECUTE FUNCTION "keepAccessEvent"();

CREATE FUNCTION "keepAdminEvent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'admin events are append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "AdminEvent_append_only" BEFORE UPDATE OR DELETE ON "AdminEvent"
  FOR EACH ROW EXECUTE FUNCTION "keepAdminEvent"();
CREATE TRIGGER "AdminEvent_no_truncate" BEFORE TRUNCATE ON "AdminEvent"
  FOR EACH STATEMENT EXECUTE FUNCTION "keepAdminEvent"();

-- Admission: the nonce and the limit in one statement. The window's row lock orders everybody who asks
-- for the same caller and class, and each statement in here sees what was committed before it began.
CREATE FUNCTION admit(
  p_did text, p_nonce text, p_nonce_until timestamptz,
  p_caller text, p_class text, p_limit integer, p_window interval, p_at timestamptz,
  OUT fresh boolean, OUT admitted boolean, OUT remaining integer, OUT "resetAt" timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  v_oldest bigint;
  v_next bigint;
  v_first record;
  v_last timestamptz;
  v_at timestamptz;
BEGIN
  fresh := true;
  IF p_nonce IS NOT NULL THEN
    INSERT INTO "Nonce" (did, nonce, "expiresAt") VALUES (p_did, p_nonce, p_nonce_until)
      ON CONFLICT DO NOTHING;
    fresh := FOUND;
  END IF;

  SELECT oldest, next INTO v_oldest, v_next FROM "RateWindow"
    WHERE caller = p_caller AND class = p_class FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO "RateWindow" (caller, class) VALUES (p_caller, p_class)
      ON CONFLICT (caller, class) DO UPDATE SET next = "RateWindow".next;
    -- Ours and locked by now. Where an earlier one was swept away, the hits it left still count.
    UPDATE "RateWindow" w SET oldest = coalesce(h.oldest, w.oldest), next = coalesce(h.newest + 1, w.next)
      FROM (SELECT min(number) AS oldest, max(number) AS newest FROM "RateHit"
            WHERE caller = p_caller AND class = p_class) h
      WHERE w.caller = p_caller AND w.class = p_class
      RETURNING w.oldest, w.next INTO v_oldest, v_next;
  END IF;
  v_at := coalesce(p_at, clock_timestamp());

  SELECT number, "admittedAt" INTO v_first FROM "RateHit"
    WHERE caller = p_caller AND class = p_class AND number >= v_oldest
      AND "admittedAt" > v_at - p_window
    ORDER BY number LIMIT 1;
  v_oldest := coalesce(v_first.number, v_next);

  admitted := fresh AND v_next - v_oldest < p_limit;
  IF admitted THEN
    INSERT INTO "RateHit" (caller, class, number, "admittedAt") VALUES (p_caller, p_class, v_next, v_at);
    v_next := v_next + 1;
    UPDATE "RateWindow" SET oldest = v_oldest, next = v_next WHERE caller = p_caller AND class = p_class;
  END IF;
  remaining := greatest(0, p_limit - (v_next - v_oldest));
  -- Above a limit that was lowered, several hits have to leave before there is room again.
  IF v_next - v_oldest > p_limit THEN
    SELECT "admittedAt" INTO v_last FROM "RateHit"
      WHERE caller = p_caller AND class = p_class AND number = v_next - p_limit;
  END IF;
  "resetAt" := coalesce(v_last, v_first."admittedAt", v_at) + p_window;
END $$;
