-- extensions

CREATE EXTENSION btree_gin;

CREATE EXTENSION btree_gist;

CREATE EXTENSION pg_trgm;

-- enums

CREATE TYPE "ActorKind" AS ENUM ('agent', 'owner', 'admin', 'system', 'reviewer');

CREATE TYPE "AgentOrigin" AS ENUM ('itself', 'user', 'admin', 'client');

CREATE TYPE "AgentState" AS ENUM ('pending', 'active', 'suspended');

CREATE TYPE "Approver" AS ENUM ('owner', 'rule', 'reviewer');

CREATE TYPE "ClaimedPrecision" AS ENUM ('instant', 'day', 'month', 'year', 'none');

CREATE TYPE "ConsentStatus" AS ENUM ('pending', 'granted', 'denied');

CREATE TYPE "DeliveryState" AS ENUM ('waiting', 'done', 'given_up');

CREATE TYPE "DigestEvery" AS ENUM ('never', 'day', 'week');

CREATE TYPE "LinkPurpose" AS ENUM ('first_admin', 'invitation', 'password_reset', 'address');

CREATE TYPE "MemorySource" AS ENUM ('owner', 'agent', 'imported');

CREATE TYPE "Permission" AS ENUM ('read', 'propose');

CREATE TYPE "PolicyOrigin" AS ENUM ('owner', 'template', 'consent', 'token', 'quarantine');

CREATE TYPE "ProfileState" AS ENUM ('active', 'suspended');

CREATE TYPE "ProfileType" AS ENUM ('human', 'agent', 'entity');

CREATE TYPE "ProposalStatus" AS ENUM ('pending', 'approved', 'rejected');

CREATE TYPE "RevisionCause" AS ENUM ('created', 'edited', 'moved', 'replaced', 'archived', 'deleted', 'restored');

CREATE TYPE "Role" AS ENUM ('user', 'admin');

CREATE TYPE "SecretKind" AS ENUM ('access', 'refresh');

CREATE TYPE "Sink" AS ENUM ('mail', 'mail_now', 'webhook');

CREATE TYPE "UserState" AS ENUM ('active', 'suspended');

CREATE TYPE "WebhookState" AS ENUM ('active', 'paused');

-- tables

CREATE TABLE "AccessEvent" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  actor "ActorKind" NOT NULL,
  "actorId" character varying(144) NOT NULL,
  verb character varying(64) NOT NULL,
  outcome character varying(16) NOT NULL,
  asked character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  granted character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  denied character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  items jsonb NOT NULL DEFAULT '{}'::jsonb,
  reasons jsonb NOT NULL DEFAULT '[]'::jsonb,
  "purposeType" character varying(64),
  "receiptId" character varying(32),
  "subjectId" character varying(144),
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  "requestId" character varying(64) NOT NULL,
  "position" bigint,
  hash bytea
);

CREATE TABLE "Account" (
  provider character varying(32) NOT NULL,
  "providerAccountId" character varying(255) NOT NULL,
  "userId" character varying(32) NOT NULL,
  "createdAt" timestamp(3) with time zone NOT NULL
);

CREATE TABLE "AdminEvent" (
  id character varying(32) NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  "adminId" character varying(32) NOT NULL,
  verb character varying(64) NOT NULL,
  "subjectId" character varying(144),
  before jsonb,
  after jsonb,
  "requestId" character varying(64) NOT NULL
);

CREATE TABLE "Agent" (
  did character varying(144) NOT NULL,
  name character varying(100) NOT NULL,
  description character varying(500),
  operator character varying(200),
  state "AgentState" NOT NULL DEFAULT 'pending'::"AgentState",
  "stateReason" character varying(500),
  verified boolean NOT NULL DEFAULT false,
  ceiling character varying(128)[] DEFAULT ARRAY['prof:*'::character varying(128)],
  limits jsonb NOT NULL DEFAULT '{}'::jsonb,
  origin "AgentOrigin" NOT NULL,
  "registeredBy" character varying(32),
  "createdAt" timestamp(3) with time zone NOT NULL,
  "updatedAt" timestamp(3) with time zone NOT NULL,
  "lastSeenAt" timestamp(3) with time zone,
  revision bigint NOT NULL DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint
);

CREATE TABLE "AgentDay" (
  did character varying(144) NOT NULL,
  day date NOT NULL,
  requests integer NOT NULL DEFAULT 0,
  denied integer NOT NULL DEFAULT 0
);

CREATE TABLE "ApproveRule" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  categories character varying(128)[],
  "confidenceMin" double precision NOT NULL,
  "usesMax" smallint NOT NULL,
  uses smallint NOT NULL DEFAULT 0,
  "createdAt" timestamp(3) with time zone NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "endedAt" timestamp(3) with time zone
);

CREATE TABLE "Authorization" (
  "idHash" bytea NOT NULL,
  "clientId" character varying(512) NOT NULL,
  "redirectUri" character varying(2000) NOT NULL,
  state character varying(2000),
  challenge character(43) NOT NULL,
  issuer character varying(255) NOT NULL,
  scopes character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  proposes boolean NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "decidedAt" timestamp(3) with time zone,
  "tokenId" character varying(32),
  "codeHash" bytea,
  "codeExpiresAt" timestamp(3) with time zone,
  "redeemedAt" timestamp(3) with time zone
);

CREATE TABLE "Client" (
  id character varying(512) NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  name character varying(100) NOT NULL,
  "redirectUris" character varying(2000)[] DEFAULT (ARRAY[]::character varying[])::character varying(2000)[],
  "documentUntil" timestamp(3) with time zone,
  "createdAt" timestamp(3) with time zone NOT NULL,
  "lastUsedAt" timestamp(3) with time zone NOT NULL
);

CREATE TABLE "ConnectionSecret" (
  "secretHash" bytea NOT NULL,
  "tokenId" character varying(32) NOT NULL,
  kind "SecretKind" NOT NULL,
  "createdAt" timestamp(3) with time zone NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "usedAt" timestamp(3) with time zone
);

CREATE TABLE "ConnectionToken" (
  id character varying(32) NOT NULL,
  "tokenHash" bytea,
  "policyId" character varying(32),
  "lastFour" character(4),
  "profileId" integer NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  label character varying(100),
  scopes character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  permissions "Permission"[] DEFAULT ARRAY[]::"Permission"[],
  "createdAt" timestamp(3) with time zone NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "lastUsedAt" timestamp(3) with time zone,
  "revokedAt" timestamp(3) with time zone,
  "clientId" character varying(512),
  resource character varying(255)
);

CREATE TABLE "ConsentRequest" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  scopes character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  "purposeType" character varying(64) NOT NULL,
  "purposeDescription" character varying(500),
  "legalBasis" character varying(64),
  retention character varying(64),
  status "ConsentStatus" NOT NULL DEFAULT 'pending'::"ConsentStatus",
  "grantedScopes" character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  "timesAsked" integer NOT NULL DEFAULT 1,
  "requestedAt" timestamp(3) with time zone NOT NULL,
  "decidedAt" timestamp(3) with time zone,
  "refusedUntil" timestamp(3) with time zone,
  "tokenId" character varying(32) NOT NULL DEFAULT ''::character varying
);

CREATE TABLE "Delivery" (
  seq bigint NOT NULL DEFAULT nextval('"Delivery_seq_seq"'::regclass),
  id character varying(32) NOT NULL,
  sink "Sink" NOT NULL,
  recipient character varying(254) NOT NULL,
  kind character varying(64) NOT NULL,
  body jsonb NOT NULL,
  state "DeliveryState" NOT NULL DEFAULT 'waiting'::"DeliveryState",
  attempts smallint NOT NULL DEFAULT 0,
  "dueAt" timestamp(3) with time zone NOT NULL,
  lease uuid,
  answer character varying(1024),
  "madeAt" timestamp(3) with time zone NOT NULL,
  "endedAt" timestamp(3) with time zone
);

CREATE TABLE "Gone" (
  id bigint NOT NULL DEFAULT nextval('"Gone_id_seq"'::regclass),
  at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
  kind character varying(32) NOT NULL,
  key bytea NOT NULL,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id()
);

CREATE TABLE "ImportBatch" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  name character varying(100) NOT NULL,
  format character varying(32) NOT NULL,
  warning character varying(300),
  items integer NOT NULL,
  known integer NOT NULL,
  "leftOut" jsonb NOT NULL,
  "createdAt" timestamp(3) with time zone NOT NULL,
  "undoneAt" timestamp(3) with time zone
);

CREATE TABLE "Inquiry" (
  "subjectId" character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  question character varying(300) NOT NULL,
  "askedAt" timestamp(3) with time zone NOT NULL,
  answer character varying(500),
  "answeredAt" timestamp(3) with time zone
);

CREATE TABLE "Job" (
  name character varying(64) NOT NULL,
  "startedAt" timestamp(3) with time zone NOT NULL,
  "finishedAt" timestamp(3) with time zone,
  failure character varying(500),
  failures integer NOT NULL DEFAULT 0,
  progress jsonb
);

CREATE TABLE "Key" (
  id character varying(32) NOT NULL,
  did character varying(144) NOT NULL,
  "publicKey" bytea NOT NULL,
  label character varying(100),
  slot smallint,
  "createdAt" timestamp(3) with time zone NOT NULL,
  "revokedAt" timestamp(3) with time zone,
  "addedBy" character varying(32)
);

CREATE TABLE "Mailbox" (
  "userId" character varying(32) NOT NULL,
  requests boolean NOT NULL DEFAULT true,
  agents boolean NOT NULL DEFAULT true,
  digest "DigestEvery" NOT NULL DEFAULT 'day'::"DigestEvery",
  hour smallint NOT NULL DEFAULT 8,
  weekday smallint NOT NULL DEFAULT 1,
  "timeZone" character varying(64) NOT NULL DEFAULT 'UTC'::character varying,
  "digestDueAt" timestamp(3) with time zone,
  contents boolean NOT NULL DEFAULT false,
  "mutedAgents" character varying(144)[] DEFAULT (ARRAY[]::character varying[])::character varying(144)[],
  "stopKey" bytea NOT NULL,
  "confirmedAt" timestamp(3) with time zone NOT NULL
);

CREATE TABLE "Memory" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  category character varying(128) NOT NULL,
  content character varying(10000) NOT NULL,
  confidence double precision NOT NULL,
  source "MemorySource" NOT NULL,
  "agentDid" character varying(144),
  "proposalId" character varying(32),
  "createdAt" timestamp(3) with time zone NOT NULL,
  "updatedAt" timestamp(3) with time zone NOT NULL,
  "archivedAt" timestamp(3) with time zone,
  "deletedAt" timestamp(3) with time zone,
  "replacedById" character varying(32),
  "approvedBy" "Approver" NOT NULL DEFAULT 'owner'::"Approver",
  flags character varying(16)[] DEFAULT (ARRAY[]::character varying[])::character varying(16)[],
  "likeText" character varying(2000)
);

CREATE TABLE "MemoryRevision" (
  id bigint NOT NULL DEFAULT nextval('"MemoryRevision_id_seq"'::regclass),
  "memoryId" character varying(32) NOT NULL,
  category character varying(128) NOT NULL,
  content character varying(10000) NOT NULL,
  confidence double precision NOT NULL,
  cause "RevisionCause" NOT NULL,
  "archivedAt" timestamp(3) with time zone,
  "deletedAt" timestamp(3) with time zone,
  "byUserId" character varying(32),
  "createdAt" timestamp(3) with time zone NOT NULL
);

CREATE TABLE "NamedValue" (
  "profileId" integer NOT NULL,
  category character varying(128) NOT NULL,
  name character varying(64) NOT NULL,
  value jsonb NOT NULL,
  "updatedAt" timestamp(3) with time zone NOT NULL
);

CREATE TABLE "Nonce" (
  did character varying(144) NOT NULL,
  nonce character varying(128) NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL
);

CREATE TABLE "OneTimeLink" (
  "tokenHash" bytea NOT NULL,
  purpose "LinkPurpose" NOT NULL,
  email character varying(254),
  "userId" character varying(32),
  role "Role" NOT NULL DEFAULT 'user'::"Role",
  "createdBy" character varying(32),
  "createdAt" timestamp(3) with time zone NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "usedAt" timestamp(3) with time zone
);

CREATE TABLE "Policy" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  "agentPattern" character varying(144) NOT NULL,
  "verifiedOnly" boolean NOT NULL DEFAULT false,
  allow character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  deny character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  permissions "Permission"[] DEFAULT ARRAY[]::"Permission"[],
  purposes character varying(64)[] DEFAULT (ARRAY[]::character varying[])::character varying(64)[],
  "maxRetention" character varying(64),
  "receiptSeconds" integer,
  enabled boolean NOT NULL DEFAULT true,
  "expiresAt" timestamp(3) with time zone,
  origin "PolicyOrigin" NOT NULL,
  "consentRequestId" character varying(32),
  "createdAt" timestamp(3) with time zone NOT NULL,
  "updatedAt" timestamp(3) with time zone NOT NULL,
  "resumeAskedAt" timestamp(3) with time zone,
  "resumeReason" character varying(500)
);

CREATE TABLE "Profile" (
  id integer NOT NULL DEFAULT nextval('"Profile_id_seq"'::regclass),
  did character varying(144) NOT NULL,
  "ownerId" character varying(32) NOT NULL,
  "profileType" "ProfileType" NOT NULL DEFAULT 'human'::"ProfileType",
  version character varying(16) NOT NULL DEFAULT '1.0'::character varying,
  state "ProfileState" NOT NULL DEFAULT 'active'::"ProfileState",
  common jsonb NOT NULL DEFAULT '{"preferences": {}}'::jsonb,
  "createdAt" timestamp(3) with time zone NOT NULL,
  "updatedAt" timestamp(3) with time zone NOT NULL,
  "visitedAt" timestamp(3) with time zone,
  "visitedBefore" timestamp(3) with time zone,
  revision bigint NOT NULL DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint,
  "rejectionKey" bytea
);

CREATE TABLE "Proposal" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  content character varying(10000) NOT NULL,
  "contentHash" bytea NOT NULL,
  category character varying(128) NOT NULL,
  confidence double precision NOT NULL,
  context character varying(1000),
  status "ProposalStatus" NOT NULL DEFAULT 'pending'::"ProposalStatus",
  "proposedAt" timestamp(3) with time zone NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "reviewedAt" timestamp(3) with time zone,
  "reviewedBy" character varying(144),
  reason character varying(500),
  imported boolean NOT NULL DEFAULT false,
  flags jsonb NOT NULL DEFAULT '[]'::jsonb,
  "guardVersion" smallint NOT NULL DEFAULT 0,
  "likeText" character varying(2000),
  "batchId" character varying(32),
  claimed character varying(40),
  "claimedPrecision" "ClaimedPrecision",
  "heldAt" timestamp(3) with time zone,
  "leftByRules" boolean NOT NULL DEFAULT false,
  "reviewerId" character varying(32),
  "ruleId" character varying(32)
);

CREATE TABLE "RateWindow" (
  caller character varying(160) NOT NULL,
  class character varying(32) NOT NULL,
  at timestamp(6) with time zone[] DEFAULT (ARRAY[]::timestamp with time zone[])::timestamp(6) with time zone[],
  hits integer[] DEFAULT ARRAY[]::integer[],
  "expiresAt" timestamp(6) with time zone NOT NULL
);

CREATE TABLE "Receipt" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  "grantedScopes" character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  "deniedScopes" character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  "purposeType" character varying(64) NOT NULL,
  "purposeDescription" character varying(500),
  "legalBasis" character varying(64),
  retention character varying(64),
  "grantedAt" timestamp(3) with time zone NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "revokedAt" timestamp(3) with time zone
);

CREATE TABLE "Rejection" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  fingerprint bytea NOT NULL,
  category character varying(128) NOT NULL,
  reason character varying(500),
  "proposalId" character varying(32),
  "rejectedAt" timestamp(3) with time zone NOT NULL,
  "timesMet" integer NOT NULL DEFAULT 0,
  "lastMetAt" timestamp(3) with time zone
);

CREATE TABLE "RetiredDid" (
  "didHash" bytea NOT NULL,
  "retiredAt" timestamp(3) with time zone NOT NULL
);

CREATE TABLE "Reviewer" (
  id character varying(32) NOT NULL,
  "profileId" integer NOT NULL,
  "userId" character varying(32) NOT NULL,
  "createdAt" timestamp(3) with time zone NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "acceptedAt" timestamp(3) with time zone,
  "endedAt" timestamp(3) with time zone
);

CREATE TABLE "Seal" (
  "profileId" integer NOT NULL,
  "position" bigint NOT NULL,
  hash bytea NOT NULL,
  "sealedAt" timestamp(3) with time zone NOT NULL
);

CREATE TABLE "Session" (
  "tokenHash" bytea NOT NULL,
  id character varying(32) NOT NULL,
  "userId" character varying(32) NOT NULL,
  "userAgent" character varying(255),
  "createdAt" timestamp(3) with time zone NOT NULL,
  "lastSeenAt" timestamp(3) with time zone NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "confirmedAt" timestamp(3) with time zone NOT NULL
);

CREATE TABLE "Setting" (
  key character varying(64) NOT NULL,
  value jsonb NOT NULL,
  "updatedAt" timestamp(3) with time zone NOT NULL,
  "updatedBy" character varying(32)
);

CREATE TABLE "Transfer" (
  "profileId" integer NOT NULL,
  "fromUserId" character varying(32) NOT NULL,
  "toUserId" character varying(32) NOT NULL,
  "requestedBy" character varying(32),
  "createdAt" timestamp(3) with time zone NOT NULL,
  "effectiveAt" timestamp(3) with time zone NOT NULL,
  "acceptedByOwnerAt" timestamp(3) with time zone,
  "acceptedByNewAt" timestamp(3) with time zone
);

CREATE TABLE "User" (
  id character varying(32) NOT NULL,
  email character varying(254) NOT NULL,
  name character varying(100),
  "passwordHash" character varying(255),
  role "Role" NOT NULL DEFAULT 'user'::"Role",
  state "UserState" NOT NULL DEFAULT 'active'::"UserState",
  "createdAt" timestamp(3) with time zone NOT NULL,
  "lastSeenAt" timestamp(3) with time zone,
  "resetLinkMadeAt" timestamp(3) with time zone
);

CREATE TABLE "Webhook" (
  "agentDid" character varying(144) NOT NULL,
  url character varying(2000) NOT NULL,
  secret bytea NOT NULL,
  "formerSecret" bytea,
  "formerUntil" timestamp(3) with time zone,
  state "WebhookState" NOT NULL DEFAULT 'active'::"WebhookState",
  "stateReason" character varying(200),
  failures smallint NOT NULL DEFAULT 0,
  "dueAt" timestamp(3) with time zone,
  lease uuid,
  "createdAt" timestamp(3) with time zone NOT NULL,
  "updatedAt" timestamp(3) with time zone NOT NULL
);

-- constraints

ALTER TABLE "AccessEvent" ADD CONSTRAINT "AccessEvent_pkey" PRIMARY KEY (id);

ALTER TABLE "AccessEvent" ADD CONSTRAINT "AccessEvent_sealed_whole" CHECK ((("position" IS NULL) = (hash IS NULL)));

ALTER TABLE "Account" ADD CONSTRAINT "Account_pkey" PRIMARY KEY (provider, "providerAccountId");

ALTER TABLE "Account" ADD CONSTRAINT "Account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "AdminEvent" ADD CONSTRAINT "AdminEvent_pkey" PRIMARY KEY (id);

ALTER TABLE "Agent" ADD CONSTRAINT "Agent_ceiling_bounded" CHECK ((cardinality(ceiling) <= 50));

ALTER TABLE "Agent" ADD CONSTRAINT "Agent_did_form" CHECK (is_did((did)::text, 'agent'::text));

ALTER TABLE "Agent" ADD CONSTRAINT "Agent_limits_object" CHECK ((jsonb_typeof(limits) = 'object'::text));

ALTER TABLE "Agent" ADD CONSTRAINT "Agent_pkey" PRIMARY KEY (did);

ALTER TABLE "AgentDay" ADD CONSTRAINT "AgentDay_pkey" PRIMARY KEY (did, day);

ALTER TABLE "ApproveRule" ADD CONSTRAINT "ApproveRule_categories_bounded" CHECK (((cardinality(categories) >= 1) AND (cardinality(categories) <= 20)));

ALTER TABLE "ApproveRule" ADD CONSTRAINT "ApproveRule_ends" CHECK ((("expiresAt" > "createdAt") AND ("expiresAt" <= ("createdAt" + '30 days'::interval))));

ALTER TABLE "ApproveRule" ADD CONSTRAINT "ApproveRule_pkey" PRIMARY KEY (id);

ALTER TABLE "ApproveRule" ADD CONSTRAINT "ApproveRule_sure" CHECK ((("confidenceMin" >= (0)::double precision) AND ("confidenceMin" <= (1)::double precision)));

ALTER TABLE "ApproveRule" ADD CONSTRAINT "ApproveRule_uses_bounded" CHECK ((((uses >= 0) AND (uses <= "usesMax")) AND (("usesMax" >= 1) AND ("usesMax" <= 100))));

ALTER TABLE "ApproveRule" ADD CONSTRAINT "ApproveRule_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_code_decided" CHECK ((("codeHash" IS NULL) OR ("decidedAt" IS NOT NULL)));

ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_code_whole" CHECK (((("codeHash" IS NULL) = ("codeExpiresAt" IS NULL)) AND (("codeHash" IS NULL) = ("tokenId" IS NULL))));

ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_hashes_sha256" CHECK (((octet_length("idHash") = 32) AND (octet_length("codeHash") = 32)));

ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_pkey" PRIMARY KEY ("idHash");

ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_redeemed_code" CHECK ((("redeemedAt" IS NULL) OR ("codeHash" IS NOT NULL)));

ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_scopes_bounded" CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 50)));

ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ConnectionToken"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Client" ADD CONSTRAINT "Client_pkey" PRIMARY KEY (id);

ALTER TABLE "Client" ADD CONSTRAINT "Client_redirectUris_bounded" CHECK (((cardinality("redirectUris") >= 1) AND (cardinality("redirectUris") <= 10)));

ALTER TABLE "ConnectionSecret" ADD CONSTRAINT "ConnectionSecret_expires_later" CHECK (("expiresAt" > "createdAt"));

ALTER TABLE "ConnectionSecret" ADD CONSTRAINT "ConnectionSecret_pkey" PRIMARY KEY ("secretHash");

ALTER TABLE "ConnectionSecret" ADD CONSTRAINT "ConnectionSecret_secretHash_sha256" CHECK ((octet_length("secretHash") = 32));

ALTER TABLE "ConnectionSecret" ADD CONSTRAINT "ConnectionSecret_used_refresh" CHECK ((("usedAt" IS NULL) OR (kind = 'refresh'::"SecretKind")));

ALTER TABLE "ConnectionSecret" ADD CONSTRAINT "ConnectionSecret_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ConnectionToken"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_one_year" CHECK ((("expiresAt" > "createdAt") AND ("expiresAt" <= ("createdAt" + '365 days'::interval))));

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_pkey" PRIMARY KEY (id);

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_scopes_bounded" CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 50)));

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_secret_somewhere" CHECK (((("tokenHash" IS NULL) = ("clientId" IS NOT NULL)) AND (("clientId" IS NULL) = (resource IS NULL)) AND (("tokenHash" IS NULL) = ("lastFour" IS NULL))));

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_tokenHash_sha256" CHECK ((octet_length("tokenHash") = 32));

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "Policy"(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "ConsentRequest" ADD CONSTRAINT "ConsentRequest_decided_once" CHECK (((status = 'pending'::"ConsentStatus") = ("decidedAt" IS NULL)));

ALTER TABLE "ConsentRequest" ADD CONSTRAINT "ConsentRequest_pkey" PRIMARY KEY (id);

ALTER TABLE "ConsentRequest" ADD CONSTRAINT "ConsentRequest_scopes_bounded" CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 50)));

ALTER TABLE "ConsentRequest" ADD CONSTRAINT "ConsentRequest_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_body_bounded" CHECK ((octet_length((body)::text) <= 8000));

ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_ended_lease" CHECK (((state = 'waiting'::"DeliveryState") OR (lease IS NULL)));

ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_ended_whole" CHECK (((state = 'waiting'::"DeliveryState") = ("endedAt" IS NULL)));

ALTER TABLE "Delivery" ADD CONSTRAINT "Delivery_pkey" PRIMARY KEY (seq);

ALTER TABLE "Gone" ADD CONSTRAINT "Gone_key_sha256" CHECK ((octet_length(key) = 32));

ALTER TABLE "Gone" ADD CONSTRAINT "Gone_pkey" PRIMARY KEY (id);

ALTER TABLE "ImportBatch" ADD CONSTRAINT "ImportBatch_pkey" PRIMARY KEY (id);

ALTER TABLE "ImportBatch" ADD CONSTRAINT "ImportBatch_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Inquiry" ADD CONSTRAINT "Inquiry_answer_some" CHECK ((length(btrim((answer)::text)) >= 1));

ALTER TABLE "Inquiry" ADD CONSTRAINT "Inquiry_answer_whole" CHECK (((answer IS NULL) = ("answeredAt" IS NULL)));

ALTER TABLE "Inquiry" ADD CONSTRAINT "Inquiry_pkey" PRIMARY KEY ("subjectId");

ALTER TABLE "Inquiry" ADD CONSTRAINT "Inquiry_question_some" CHECK ((length(btrim((question)::text)) >= 1));

ALTER TABLE "Inquiry" ADD CONSTRAINT "Inquiry_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Job" ADD CONSTRAINT "Job_pkey" PRIMARY KEY (name);

ALTER TABLE "Key" ADD CONSTRAINT "Key_pkey" PRIMARY KEY (id);

ALTER TABLE "Key" ADD CONSTRAINT "Key_publicKey_ed25519" CHECK ((octet_length("publicKey") = 32));

ALTER TABLE "Key" ADD CONSTRAINT "Key_slot_five" CHECK (((slot >= 1) AND (slot <= 5)));

ALTER TABLE "Key" ADD CONSTRAINT "Key_slot_while_active" CHECK (((slot IS NULL) = ("revokedAt" IS NOT NULL)));

ALTER TABLE "Mailbox" ADD CONSTRAINT "Mailbox_hour_real" CHECK ((((hour >= 0) AND (hour <= 23)) AND ((weekday >= 1) AND (weekday <= 7))));

ALTER TABLE "Mailbox" ADD CONSTRAINT "Mailbox_mutedAgents_bounded" CHECK ((cardinality("mutedAgents") <= 100));

ALTER TABLE "Mailbox" ADD CONSTRAINT "Mailbox_pkey" PRIMARY KEY ("userId");

ALTER TABLE "Mailbox" ADD CONSTRAINT "Mailbox_stopKey_random" CHECK ((octet_length("stopKey") = 16));

ALTER TABLE "Mailbox" ADD CONSTRAINT "Mailbox_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Memory" ADD CONSTRAINT "Memory_agent_named" CHECK (((source <> 'agent'::"MemorySource") OR ("agentDid" IS NOT NULL)));

ALTER TABLE "Memory" ADD CONSTRAINT "Memory_category_form" CHECK (is_category((category)::text));

ALTER TABLE "Memory" ADD CONSTRAINT "Memory_confidence_fraction" CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision)));

ALTER TABLE "Memory" ADD CONSTRAINT "Memory_content_some" CHECK ((length(btrim((content)::text)) >= 1));

ALTER TABLE "Memory" ADD CONSTRAINT "Memory_pkey" PRIMARY KEY (id);

ALTER TABLE "Memory" ADD CONSTRAINT "Memory_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Memory" ADD CONSTRAINT "Memory_proposalId_fkey" FOREIGN KEY ("proposalId") REFERENCES "Proposal"(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE "MemoryRevision" ADD CONSTRAINT "MemoryRevision_pkey" PRIMARY KEY (id);

ALTER TABLE "MemoryRevision" ADD CONSTRAINT "MemoryRevision_memoryId_fkey" FOREIGN KEY ("memoryId") REFERENCES "Memory"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "NamedValue" ADD CONSTRAINT "NamedValue_category_form" CHECK (is_category((category)::text));

ALTER TABLE "NamedValue" ADD CONSTRAINT "NamedValue_name_form" CHECK (((name)::text ~ '^[A-Za-z0-9_-]{1,64}$'::text));

ALTER TABLE "NamedValue" ADD CONSTRAINT "NamedValue_pkey" PRIMARY KEY ("profileId", category, name);

ALTER TABLE "NamedValue" ADD CONSTRAINT "NamedValue_value_size" CHECK ((octet_length((value)::text) <= 16384));

ALTER TABLE "NamedValue" ADD CONSTRAINT "NamedValue_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Nonce" ADD CONSTRAINT "Nonce_pkey" PRIMARY KEY (did, nonce);

ALTER TABLE "OneTimeLink" ADD CONSTRAINT "OneTimeLink_pkey" PRIMARY KEY ("tokenHash");

ALTER TABLE "OneTimeLink" ADD CONSTRAINT "OneTimeLink_tokenHash_sha256" CHECK ((octet_length("tokenHash") = 32));

ALTER TABLE "Policy" ADD CONSTRAINT "Policy_pkey" PRIMARY KEY (id);

ALTER TABLE "Policy" ADD CONSTRAINT "Policy_purposes_bounded" CHECK ((cardinality(purposes) <= 50));

ALTER TABLE "Policy" ADD CONSTRAINT "Policy_receiptSeconds_positive" CHECK ((("receiptSeconds" >= 1) AND ("receiptSeconds" <= 86400)));

ALTER TABLE "Policy" ADD CONSTRAINT "Policy_scopes_bounded" CHECK (((cardinality(allow) <= 50) AND (cardinality(deny) <= 50)));

ALTER TABLE "Policy" ADD CONSTRAINT "Policy_consentRequestId_fkey" FOREIGN KEY ("consentRequestId") REFERENCES "ConsentRequest"(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE "Policy" ADD CONSTRAINT "Policy_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Profile" ADD CONSTRAINT "Profile_common_object" CHECK ((jsonb_typeof(common) = 'object'::text));

ALTER TABLE "Profile" ADD CONSTRAINT "Profile_common_size" CHECK ((octet_length((common)::text) <= 65536));

ALTER TABLE "Profile" ADD CONSTRAINT "Profile_did_form" CHECK (is_did((did)::text, 'user'::text));

ALTER TABLE "Profile" ADD CONSTRAINT "Profile_pkey" PRIMARY KEY (id);

ALTER TABLE "Profile" ADD CONSTRAINT "Profile_rejectionKey_sha256" CHECK ((octet_length("rejectionKey") = 32));

ALTER TABLE "Profile" ADD CONSTRAINT "Profile_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_category_form" CHECK (is_category((category)::text));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_claimed_whole" CHECK (((claimed IS NULL) = ("claimedPrecision" IS NULL)));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_confidence_fraction" CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision)));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_contentHash_sha256" CHECK ((octet_length("contentHash") = 32));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_content_some" CHECK ((length(btrim((content)::text)) >= 1));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_decided_once" CHECK (((status = 'pending'::"ProposalStatus") = ("reviewedAt" IS NULL)));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_expires_later" CHECK (("expiresAt" > "proposedAt"));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_flags_listed" CHECK ((jsonb_typeof(flags) = 'array'::text));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_held_waits" CHECK ((("heldAt" IS NULL) OR (status = 'pending'::"ProposalStatus")));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_pkey" PRIMARY KEY (id);

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_batchId_fkey" FOREIGN KEY ("batchId") REFERENCES "ImportBatch"(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_reviewerId_fkey" FOREIGN KEY ("reviewerId") REFERENCES "Reviewer"(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "ApproveRule"(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE "RateWindow" ADD CONSTRAINT "RateWindow_pkey" PRIMARY KEY (caller, class);

ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_one_day" CHECK ((("expiresAt" > "grantedAt") AND ("expiresAt" <= ("grantedAt" + '24:00:00'::interval))));

ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_pkey" PRIMARY KEY (id);

ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_scopes_bounded" CHECK (((cardinality("grantedScopes") >= 1) AND (cardinality("grantedScopes") <= 50)));

ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Rejection" ADD CONSTRAINT "Rejection_fingerprint_sha256" CHECK ((octet_length(fingerprint) = 32));

ALTER TABLE "Rejection" ADD CONSTRAINT "Rejection_pkey" PRIMARY KEY (id);

ALTER TABLE "Rejection" ADD CONSTRAINT "Rejection_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Rejection" ADD CONSTRAINT "Rejection_proposalId_fkey" FOREIGN KEY ("proposalId") REFERENCES "Proposal"(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE "RetiredDid" ADD CONSTRAINT "RetiredDid_didHash_sha256" CHECK ((octet_length("didHash") = 32));

ALTER TABLE "RetiredDid" ADD CONSTRAINT "RetiredDid_pkey" PRIMARY KEY ("didHash");

ALTER TABLE "Reviewer" ADD CONSTRAINT "Reviewer_ends" CHECK ((("expiresAt" > "createdAt") AND ("expiresAt" <= ("createdAt" + '90 days'::interval))));

ALTER TABLE "Reviewer" ADD CONSTRAINT "Reviewer_pkey" PRIMARY KEY (id);

ALTER TABLE "Reviewer" ADD CONSTRAINT "Reviewer_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Reviewer" ADD CONSTRAINT "Reviewer_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Seal" ADD CONSTRAINT "Seal_pkey" PRIMARY KEY ("profileId", "position");

ALTER TABLE "Session" ADD CONSTRAINT "Session_pkey" PRIMARY KEY ("tokenHash");

ALTER TABLE "Session" ADD CONSTRAINT "Session_tokenHash_sha256" CHECK ((octet_length("tokenHash") = 32));

ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Setting" ADD CONSTRAINT "Setting_pkey" PRIMARY KEY (key);

ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_owners_differ" CHECK ((("fromUserId")::text <> ("toUserId")::text));

ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_pkey" PRIMARY KEY ("profileId");

ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_fromUserId_fkey" FOREIGN KEY ("fromUserId") REFERENCES "User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_requestedBy_fkey" FOREIGN KEY ("requestedBy") REFERENCES "User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_toUserId_fkey" FOREIGN KEY ("toUserId") REFERENCES "User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "User" ADD CONSTRAINT "User_email_lower" CHECK ((((email)::text = lower((email)::text)) AND ((email)::text ~~ '_%@_%'::text)));

ALTER TABLE "User" ADD CONSTRAINT "User_pkey" PRIMARY KEY (id);

ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_former_whole" CHECK ((("formerSecret" IS NULL) = ("formerUntil" IS NULL)));

ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_pkey" PRIMARY KEY ("agentDid");

ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_secrets_random" CHECK (((octet_length(secret) = 32) AND (octet_length("formerSecret") = 32)));

ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_agentDid_fkey" FOREIGN KEY ("agentDid") REFERENCES "Agent"(did) ON UPDATE CASCADE ON DELETE CASCADE;

-- indexes

CREATE INDEX "AccessEvent_profileId_actorId_at_idx" ON public."AccessEvent" USING btree ("profileId", "actorId", at DESC);

CREATE INDEX "AccessEvent_profileId_position_idx" ON public."AccessEvent" USING btree ("profileId", "position");

CREATE INDEX "AccessEvent_shown_idx" ON public."AccessEvent" USING btree ("profileId", at DESC, id DESC, verb, outcome, "actorId");

CREATE INDEX "AccessEvent_unsealed_idx" ON public."AccessEvent" USING btree (at, id) WHERE (hash IS NULL);

CREATE UNIQUE INDEX "Account_userId_provider_key" ON public."Account" USING btree ("userId", provider);

CREATE INDEX "AdminEvent_adminId_at_id_idx" ON public."AdminEvent" USING btree ("adminId", at DESC, id DESC);

CREATE INDEX "AdminEvent_at_id_idx" ON public."AdminEvent" USING btree (at DESC, id DESC);

CREATE INDEX "AdminEvent_subjectId_at_id_idx" ON public."AdminEvent" USING btree ("subjectId", at DESC, id DESC);

CREATE INDEX "Agent_namesake_idx" ON public."Agent" USING btree (lower(regexp_replace(NORMALIZE(name, NFKC), '[\s[:punct:]\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]'::text, ''::text, 'g'::text))) WHERE (state = 'active'::"AgentState");

CREATE INDEX "Agent_registeredBy_idx" ON public."Agent" USING btree ("registeredBy") WHERE ("registeredBy" IS NOT NULL);

CREATE INDEX "Agent_search_idx" ON public."Agent" USING gin (did gin_trgm_ops, name gin_trgm_ops);

CREATE INDEX "Agent_state_createdAt_did_idx" ON public."Agent" USING btree (state, "createdAt", did);

CREATE INDEX "ApproveRule_expiresAt_idx" ON public."ApproveRule" USING btree ("expiresAt") WHERE ("endedAt" IS NULL);

CREATE INDEX "ApproveRule_profileId_agentDid_createdAt_idx" ON public."ApproveRule" USING btree ("profileId", "agentDid", "createdAt" DESC);

CREATE INDEX "Authorization_clientId_idx" ON public."Authorization" USING btree ("clientId");

CREATE UNIQUE INDEX "Authorization_codeHash_key" ON public."Authorization" USING btree ("codeHash");

CREATE INDEX "Authorization_expiresAt_idx" ON public."Authorization" USING btree ("expiresAt");

CREATE INDEX "Authorization_tokenId_idx" ON public."Authorization" USING btree ("tokenId");

CREATE UNIQUE INDEX "Client_agentDid_key" ON public."Client" USING btree ("agentDid");

CREATE INDEX "Client_lastUsedAt_idx" ON public."Client" USING btree ("lastUsedAt");

CREATE INDEX "ConnectionSecret_expiresAt_idx" ON public."ConnectionSecret" USING btree ("expiresAt");

CREATE INDEX "ConnectionSecret_tokenId_createdAt_idx" ON public."ConnectionSecret" USING btree ("tokenId", "createdAt");

CREATE INDEX "ConnectionToken_clientId_idx" ON public."ConnectionToken" USING btree ("clientId");

CREATE INDEX "ConnectionToken_connected_idx" ON public."ConnectionToken" USING btree ("createdAt") WHERE (("clientId" IS NOT NULL) AND ("revokedAt" IS NULL));

CREATE INDEX "ConnectionToken_policyId_idx" ON public."ConnectionToken" USING btree ("policyId");

CREATE INDEX "ConnectionToken_profileId_agentDid_idx" ON public."ConnectionToken" USING btree ("profileId", "agentDid");

CREATE INDEX "ConnectionToken_profileId_createdAt_idx" ON public."ConnectionToken" USING btree ("profileId", "createdAt" DESC);

CREATE UNIQUE INDEX "ConnectionToken_tokenHash_key" ON public."ConnectionToken" USING btree ("tokenHash");

CREATE UNIQUE INDEX "ConsentRequest_profileId_agentDid_purposeType_tokenId_key" ON public."ConsentRequest" USING btree ("profileId", "agentDid", "purposeType", "tokenId") WHERE (status = 'pending'::"ConsentStatus");

CREATE INDEX "ConsentRequest_profileId_status_requestedAt_idx" ON public."ConsentRequest" USING btree ("profileId", status, "requestedAt" DESC);

CREATE INDEX "ConsentRequest_refused_idx" ON public."ConsentRequest" USING btree ("profileId", "agentDid", "purposeType", "refusedUntil") WHERE ("refusedUntil" IS NOT NULL);

CREATE INDEX "Delivery_endedAt_idx" ON public."Delivery" USING btree ("endedAt") WHERE ("endedAt" IS NOT NULL);

CREATE UNIQUE INDEX "Delivery_id_key" ON public."Delivery" USING btree (id);

CREATE INDEX "Delivery_mail_due_idx" ON public."Delivery" USING btree ("dueAt", seq) WHERE ((state = 'waiting'::"DeliveryState") AND (sink <> 'webhook'::"Sink"));

CREATE INDEX "Delivery_recipient_seq_idx" ON public."Delivery" USING btree (recipient, seq DESC);

CREATE INDEX "Delivery_state_seq_idx" ON public."Delivery" USING btree (state, seq DESC);

CREATE INDEX "Delivery_waiting_idx" ON public."Delivery" USING btree (recipient, seq) WHERE (state = 'waiting'::"DeliveryState");

CREATE INDEX "Gone_xid_idx" ON public."Gone" USING btree (xid);

CREATE UNIQUE INDEX "ImportBatch_agentDid_key" ON public."ImportBatch" USING btree ("agentDid");

CREATE INDEX "ImportBatch_profileId_createdAt_idx" ON public."ImportBatch" USING btree ("profileId", "createdAt" DESC);

CREATE INDEX "Inquiry_profileId_idx" ON public."Inquiry" USING btree ("profileId");

CREATE INDEX "Key_addedBy_idx" ON public."Key" USING btree ("addedBy") WHERE ("addedBy" IS NOT NULL);

CREATE UNIQUE INDEX "Key_did_publicKey_key" ON public."Key" USING btree (did, "publicKey");

CREATE UNIQUE INDEX "Key_did_slot_key" ON public."Key" USING btree (did, slot);

CREATE INDEX "Mailbox_digestDueAt_idx" ON public."Mailbox" USING btree ("digestDueAt") WHERE ("digestDueAt" IS NOT NULL);

CREATE UNIQUE INDEX "Mailbox_stopKey_key" ON public."Mailbox" USING btree ("stopKey");

CREATE INDEX "Memory_deletedAt_idx" ON public."Memory" USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX "Memory_live_category_idx" ON public."Memory" USING btree ("profileId", category, "createdAt" DESC, id DESC) WHERE (("archivedAt" IS NULL) AND ("deletedAt" IS NULL));

CREATE INDEX "Memory_live_idx" ON public."Memory" USING btree ("profileId", "createdAt" DESC, id DESC) WHERE (("archivedAt" IS NULL) AND ("deletedAt" IS NULL));

CREATE INDEX "Memory_nearest_idx" ON public."Memory" USING gist ("profileId", "likeText" gist_trgm_ops (siglen='64')) WHERE (("likeText" IS NOT NULL) AND ("archivedAt" IS NULL) AND ("deletedAt" IS NULL));

CREATE INDEX "Memory_profileId_id_idx" ON public."Memory" USING btree ("profileId", id);

CREATE UNIQUE INDEX "Memory_proposalId_key" ON public."Memory" USING btree ("proposalId");

CREATE INDEX "Memory_replacedById_idx" ON public."Memory" USING btree ("replacedById") WHERE ("replacedById" IS NOT NULL);

CREATE INDEX "Memory_same_text_idx" ON public."Memory" USING btree ("profileId", hashtextextended(lower(btrim((content)::text, ' 	
'::text)), (0)::bigint)) WHERE (("archivedAt" IS NULL) AND ("deletedAt" IS NULL));

CREATE INDEX "Memory_similar_idx" ON public."Memory" USING gin ("profileId", content gin_trgm_ops) WITH (gin_pending_list_limit='128');

CREATE INDEX "Memory_unread_idx" ON public."Memory" USING btree ("profileId") WHERE (("likeText" IS NULL) AND ("deletedAt" IS NULL));

CREATE INDEX "Memory_words_idx" ON public."Memory" USING gin ("profileId", to_tsvector('simple'::regconfig, (content)::text)) WITH (gin_pending_list_limit='128');

CREATE INDEX "MemoryRevision_memoryId_id_idx" ON public."MemoryRevision" USING btree ("memoryId", id);

CREATE INDEX "Nonce_expiresAt_idx" ON public."Nonce" USING btree ("expiresAt");

CREATE INDEX "OneTimeLink_expiresAt_idx" ON public."OneTimeLink" USING btree ("expiresAt");

CREATE UNIQUE INDEX "OneTimeLink_userId_key" ON public."OneTimeLink" USING btree ("userId");

CREATE INDEX "Policy_agentPattern_idx" ON public."Policy" USING btree ("agentPattern");

CREATE INDEX "Policy_consentRequestId_idx" ON public."Policy" USING btree ("consentRequestId");

CREATE INDEX "Policy_profileId_idx" ON public."Policy" USING btree ("profileId");

CREATE INDEX "Profile_createdAt_id_idx" ON public."Profile" USING btree ("createdAt", id);

CREATE UNIQUE INDEX "Profile_did_key" ON public."Profile" USING btree (did);

CREATE INDEX "Profile_ownerId_idx" ON public."Profile" USING btree ("ownerId");

CREATE INDEX "Profile_search_idx" ON public."Profile" USING gin (did gin_trgm_ops);

CREATE INDEX "Proposal_batchId_idx" ON public."Proposal" USING btree ("batchId") WHERE ("batchId" IS NOT NULL);

CREATE INDEX "Proposal_confident_idx" ON public."Proposal" USING btree ("profileId", confidence DESC, id DESC) WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_decided_idx" ON public."Proposal" USING btree ("profileId", COALESCE("reviewedAt", "expiresAt") DESC, id DESC);

CREATE INDEX "Proposal_decided_similar_idx" ON public."Proposal" USING gin ("profileId", content gin_trgm_ops) WITH (gin_pending_list_limit='128') WHERE (status <> 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_expiresAt_idx" ON public."Proposal" USING btree ("expiresAt") WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_expiring_idx" ON public."Proposal" USING btree ("profileId", "expiresAt", id) WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_held_idx" ON public."Proposal" USING btree ("agentDid", id) WHERE ("heldAt" IS NOT NULL);

CREATE INDEX "Proposal_made_here_idx" ON public."Proposal" USING btree ("agentDid", status) WHERE (NOT imported);

CREATE INDEX "Proposal_nearest_idx" ON public."Proposal" USING gist ("profileId", "likeText" gist_trgm_ops (siglen='64')) WHERE (("likeText" IS NOT NULL) AND (status = 'pending'::"ProposalStatus"));

CREATE INDEX "Proposal_pending_text_idx" ON public."Proposal" USING btree ("profileId", hashtextextended(lower(btrim((content)::text, ' 	
'::text)), (0)::bigint)) WHERE (status = 'pending'::"ProposalStatus");

CREATE UNIQUE INDEX "Proposal_profileId_agentDid_category_contentHash_key" ON public."Proposal" USING btree ("profileId", "agentDid", category, "contentHash") WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_profileId_agentDid_proposedAt_id_idx" ON public."Proposal" USING btree ("profileId", "agentDid", "proposedAt" DESC, id DESC);

CREATE INDEX "Proposal_profileId_proposedAt_id_idx" ON public."Proposal" USING btree ("profileId", "proposedAt" DESC, id DESC);

CREATE INDEX "Proposal_profileId_status_proposedAt_id_idx" ON public."Proposal" USING btree ("profileId", status, "proposedAt" DESC, id DESC);

CREATE INDEX "Proposal_rejected_text_idx" ON public."Proposal" USING btree ("profileId", hashtextextended(lower(btrim((content)::text, ' 	
'::text)), (0)::bigint)) WHERE ((status = 'rejected'::"ProposalStatus") AND ("reviewedBy" IS NOT NULL));

CREATE INDEX "Proposal_reviewerId_idx" ON public."Proposal" USING btree ("reviewerId") WHERE ("reviewerId" IS NOT NULL);

CREATE INDEX "Proposal_ruleId_idx" ON public."Proposal" USING btree ("ruleId") WHERE ("ruleId" IS NOT NULL);

CREATE INDEX "Proposal_similar_idx" ON public."Proposal" USING gin ("profileId", content gin_trgm_ops) WITH (gin_pending_list_limit='128') WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_uncompared_idx" ON public."Proposal" USING btree (id) WHERE (("likeText" IS NULL) AND (status = 'pending'::"ProposalStatus"));

CREATE INDEX "Proposal_unread_idx" ON public."Proposal" USING btree ("guardVersion", id) WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "RateWindow_expiresAt_idx" ON public."RateWindow" USING btree ("expiresAt");

CREATE INDEX "Receipt_profileId_agentDid_expiresAt_idx" ON public."Receipt" USING btree ("profileId", "agentDid", "expiresAt" DESC);

CREATE INDEX "Receipt_profileId_grantedAt_id_idx" ON public."Receipt" USING btree ("profileId", "grantedAt" DESC, id DESC);

CREATE UNIQUE INDEX "Rejection_profileId_agentDid_fingerprint_key" ON public."Rejection" USING btree ("profileId", "agentDid", fingerprint);

CREATE INDEX "Rejection_profileId_fingerprint_idx" ON public."Rejection" USING btree ("profileId", fingerprint);

CREATE UNIQUE INDEX "Rejection_proposalId_key" ON public."Rejection" USING btree ("proposalId");

CREATE INDEX "Reviewer_profileId_createdAt_idx" ON public."Reviewer" USING btree ("profileId", "createdAt" DESC);

CREATE UNIQUE INDEX "Reviewer_profileId_userId_key" ON public."Reviewer" USING btree ("profileId", "userId") WHERE ("endedAt" IS NULL);

CREATE INDEX "Reviewer_userId_idx" ON public."Reviewer" USING btree ("userId");

CREATE INDEX "Session_expiresAt_idx" ON public."Session" USING btree ("expiresAt");

CREATE UNIQUE INDEX "Session_id_key" ON public."Session" USING btree (id);

CREATE INDEX "Session_userId_idx" ON public."Session" USING btree ("userId");

CREATE INDEX "Transfer_effectiveAt_idx" ON public."Transfer" USING btree ("effectiveAt") WHERE ("acceptedByNewAt" IS NOT NULL);

CREATE INDEX "Transfer_fromUserId_idx" ON public."Transfer" USING btree ("fromUserId");

CREATE INDEX "Transfer_requestedBy_idx" ON public."Transfer" USING btree ("requestedBy");

CREATE INDEX "Transfer_toUserId_idx" ON public."Transfer" USING btree ("toUserId");

CREATE INDEX "User_createdAt_id_idx" ON public."User" USING btree ("createdAt", id);

CREATE UNIQUE INDEX "User_email_key" ON public."User" USING btree (email);

CREATE INDEX "User_role_idx" ON public."User" USING btree (role) WHERE (role = 'admin'::"Role");

CREATE INDEX "User_search_idx" ON public."User" USING gin (email gin_trgm_ops, name gin_trgm_ops);

CREATE INDEX "Webhook_dueAt_idx" ON public."Webhook" USING btree ("dueAt") WHERE ("dueAt" IS NOT NULL);

-- functions

CREATE OR REPLACE FUNCTION public.admit(p_dids text[], p_nonces text[], p_untils timestamp with time zone[], p_callers text[], p_classes text[], p_limits integer[], p_ats timestamp with time zone[], p_window interval, p_patience text, p_signers text[], p_revisions bigint[], p_profiles text[], p_events json)
 RETURNS TABLE(place bigint, known boolean, fresh boolean, admitted boolean, remaining integer, "resetAt" timestamp with time zone, "signerRevision" text, "profileRevision" text, recorded boolean)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  v_signers bigint[];
  v_profiles bigint[];
  v_unknown bigint[];
  v_stale bigint[] := '{}';
  v_unchanged bigint[];
  v_recorded bigint[] := '{}';
  v_now timestamptz;
  v_at timestamptz[];
  v_hits integer[];
  v_used integer;
  v_taken integer;
  v_turn integer;
  v_slot timestamptz;
  v_reset timestamptz;
  n record;
  w record;
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);

  v_signers := ARRAY(SELECT coalesce((SELECT revision FROM "Agent" WHERE did = s.did), (SELECT revision FROM "Profile" WHERE did = s.did))
    FROM unnest(p_signers) WITH ORDINALITY AS s (did, place) ORDER BY s.place);
  v_profiles := ARRAY(SELECT (SELECT revision FROM "Profile" WHERE did = s.did)
    FROM unnest(p_profiles) WITH ORDINALITY AS s (did, place) ORDER BY s.place);
  v_unknown := ARRAY(SELECT s.place FROM unnest(p_revisions) WITH ORDINALITY AS s (revision, place)
    WHERE s.revision IS NOT NULL AND v_signers[s.place] IS DISTINCT FROM s.revision);
  v_unchanged := ARRAY(SELECT e.place FROM json_to_recordset(p_events) AS e (place bigint, signer bigint, profile bigint)
    WHERE v_signers[e.place] = e.signer AND v_profiles[e.place] = e.profile);

  -- Of the same nonce twice, the first counts.
  FOR n IN SELECT * FROM unnest(p_dids, p_nonces, p_untils) WITH ORDINALITY AS s (did, nonce, until, place)
           WHERE s.nonce IS NOT NULL AND s.place <> ALL (v_unknown) ORDER BY s.did, s.nonce, s.place LOOP
    INSERT INTO "Nonce" (did, nonce, "expiresAt") VALUES (n.did, n.nonce, n.until) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN v_stale := v_stale || n.place; END IF;
  END LOOP;

  -- Of two limits for the same window, as where one is just being changed, the lower.
  FOR w IN SELECT a.caller, a.class, min(a.quota) AS quota, max(a.at) AS at, array_agg(a.place ORDER BY a.place) AS places,
             count(*) FILTER (WHERE a.place <> ALL (v_stale) AND a.place <> ALL (v_unknown)) AS fresh
           FROM unnest(p_callers, p_classes, p_limits, p_ats) WITH ORDINALITY AS a (caller, class, quota, at, place)
           GROUP BY a.caller, a.class ORDER BY a.caller, a.class LOOP
    v_now := coalesce(w.at, clock_timestamp());
    v_used := 0;
    v_taken := w.fresh;
    v_reset := NULL;
    -- Without a limit nothing is counted: another engine does.
    IF w.quota IS NOT NULL THEN
      SELECT r.at, r.hits INTO v_at, v_hits FROM "RateWindow" r WHERE r.caller = w.caller AND r.class = w.class FOR UPDATE;
      IF NOT FOUND AND w.fresh > 0 THEN
        INSERT INTO "RateWindow" AS r (caller, class, "expiresAt") VALUES (w.caller, w.class, v_now + p_window)
        ON CONFLICT (caller, class) DO UPDATE SET class = r.class RETURNING r.at, r.hits INTO v_at, v_hits;
      END IF;
      SELECT coalesce(array_agg(h.at ORDER BY h.at), '{}'), coalesce(array_agg(h.hits ORDER BY h.at), '{}'), coalesce(sum(h.hits), 0)
      INTO v_at, v_hits, v_used FROM unnest(v_at, v_hits) AS h (at, hits) WHERE h.at + p_window > v_now;

      v_taken := least(w.fresh, greatest(0, w.quota - v_used));
      IF v_taken > 0 THEN
        -- A high limit counts by the half minute, rounded up, so that its row stays short.
        v_slot := CASE WHEN w.quota <= 120 THEN v_now ELSE to_timestamp(ceil(extract(epoch FROM v_now) / 30) * 30) END;
        v_slot := greatest(v_slot, v_at[cardinality(v_at)]);
        IF v_slot = v_at[cardinality(v_at)] THEN
          v_hits[cardinality(v_hits)] := v_hits[cardinality(v_hits)] + v_taken;
        ELSE
          v_at := v_at || v_slot;
          v_hits := v_hits || v_taken;
        END IF;
        -- A refusal writes nothing.
        UPDATE "RateWindow" r SET at = v_at, hits = v_hits, "expiresAt" = v_slot + p_window
        WHERE r.caller = w.caller AND r.class = w.class;
      END IF;

      -- Above a limit that was lowered, several hits have to leave before there is room again.
      SELECT min(h.at) INTO v_reset
      FROM (SELECT s.at, sum(s.hits) OVER (ORDER BY s.at) AS upto FROM unnest(v_at, v_hits) AS s (at, hits)) h
      WHERE h.upto >= least(v_used + v_taken, greatest(1, v_used + v_taken - w.quota + 1));
    END IF;
    "resetAt" := coalesce(v_reset, v_now) + p_window;
    v_turn := 0;
    FOREACH place IN ARRAY w.places LOOP
      known := place <> ALL (v_unknown);
      fresh := known AND place <> ALL (v_stale);
      "signerRevision" := v_signers[place];
      "profileRevision" := v_profiles[place];
      IF fresh THEN v_turn := v_turn + 1; END IF;
      admitted := fresh AND v_turn <= v_taken;
      recorded := admitted AND place = ANY (v_unchanged);
      IF recorded THEN v_recorded := v_recorded || place; END IF;
      remaining := greatest(0, w.quota - v_used - least(v_turn, v_taken));
      RETURN NEXT;
    END LOOP;
  END LOOP;

  INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, asked, granted, denied, items, reasons,
    "purposeType", "receiptId", "subjectId", detail, "requestId")
  SELECT r.id, r."profileId", r.at, r.actor, r."actorId", r.verb, r.outcome, r.asked, r.granted, r.denied, r.items, r.reasons,
    r."purposeType", r."receiptId", r."subjectId", r.detail, r."requestId"
  FROM json_to_recordset(p_events) AS e (place bigint, event json)
  CROSS JOIN LATERAL json_populate_record(NULL::"AccessEvent", e.event) r
  WHERE e.place = ANY (v_recorded);
END $function$;

CREATE OR REPLACE FUNCTION public.authority_of(p_profile integer, p_did text, p_key text, p_token text, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT md5(jsonb_build_array(p.state, p."ownerId", a.verified, a.ceiling,
    -- OFFSET: the order must not choose the index, or all policies of everybody are read by it.
    (SELECT string_agg(l.id || ' ' || l.version, ',' ORDER BY l.id) FROM (
       SELECT id, xmin::text AS version FROM "Policy" WHERE "profileId" = p.id AND enabled OFFSET 0) l))::text)
  FROM "Profile" p LEFT JOIN "Agent" a ON a.did = p_did
  WHERE p.id = p_profile
    -- The owner's own key is as good as their account.
    AND coalesce(a.state::text, (SELECT o.state::text FROM "User" o WHERE o.id = p."ownerId" AND p.did = p_did)) = 'active'
    AND (p_key IS NULL OR EXISTS (SELECT FROM "Key" k
      WHERE k.did = p_did AND k."publicKey" = decode(p_key, 'hex') AND k.slot IS NOT NULL))
    AND (p_token IS NULL OR EXISTS (SELECT FROM "ConnectionToken" t
      WHERE t.id = p_token AND t."revokedAt" IS NULL AND t."expiresAt" > p_now))
$function$;

CREATE OR REPLACE FUNCTION public.hold_authority(p_claims json, p_patience text)
 RETURNS TABLE(place integer)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  v_profiles integer[];
  v_dids text[];
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);
  SELECT array_agg(DISTINCT c."profileId"), array_agg(DISTINCT c."agentDid") INTO v_profiles, v_dids
  FROM json_to_recordset(p_claims) AS c ("profileId" integer, "agentDid" text);

  PERFORM FROM "User" WHERE id = ANY (ARRAY(
    SELECT p."ownerId" FROM "Profile" p WHERE p.id = ANY (v_profiles) AND p.did = ANY (v_dids)))
  ORDER BY id FOR SHARE;
  PERFORM FROM "Agent" WHERE did = ANY (v_dids) ORDER BY did FOR SHARE;
  -- A receipt raises its profile's revision: of two that held it together, each would wait for the other.
  PERFORM FROM "Profile" WHERE id = ANY (v_profiles) ORDER BY id FOR NO KEY UPDATE;

  RETURN QUERY
  SELECT c.place
  FROM json_to_recordset(p_claims) AS c (place integer, "profileId" integer, "agentDid" text, key text, token text,
    now timestamptz, authority text, receipts text[])
  WHERE c.authority = authority_of(c."profileId", c."agentDid", c.key, c.token, c.now)
    AND NOT EXISTS (SELECT FROM unnest(c.receipts) AS used (id) WHERE NOT EXISTS (
      SELECT FROM "Receipt" r WHERE r.id = used.id AND r."revokedAt" IS NULL));
END $function$;

CREATE OR REPLACE FUNCTION public.is_category(name text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (name ~ '^prof:[a-z0-9_-]{1,64}(\.[a-z0-9_-]{1,64})*$'::text);

CREATE OR REPLACE FUNCTION public.is_did(did text, kind text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (did ~ (('^did:prof:'::text || kind) || ':[A-Za-z0-9._-]{1,64}:[A-Za-z0-9._-]{1,64}$'::text));

CREATE OR REPLACE FUNCTION public.keep_access_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION public.keep_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.note_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO "Gone" (kind, key)
  SELECT TG_ARGV[0], sha256(convert_to(concat_ws(E'\n',
    changed ->> TG_ARGV[1], changed ->> TG_ARGV[2], changed ->> TG_ARGV[3]), 'UTF8'))
  FROM (SELECT CASE TG_OP WHEN 'INSERT' THEN to_jsonb(NEW) ELSE to_jsonb(OLD) END) row (changed);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.note_removed_values()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO "Gone" (kind, key)
  SELECT 'value.removed', sha256(convert_to(concat_ws(E'\n', OLD.id, m.key, n.key), 'UTF8'))
  FROM jsonb_each(OLD.common) m
  LEFT JOIN LATERAL jsonb_object_keys(CASE jsonb_typeof(m.value) WHEN 'object' THEN m.value ELSE '{}' END) n (key) ON true
  WHERE NEW.common #> array_remove(ARRAY[m.key, n.key], NULL) IS NULL;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.propose_all(p_asked json, p_most integer, p_patience text)
 RETURNS TABLE(place integer, id text, "expiresAt" timestamp with time zone, "isNew" boolean, "roomAt" timestamp with time zone, "isRejected" boolean, reason character varying)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  v_held integer[];
BEGIN
  v_held := ARRAY(SELECT h.place FROM hold_authority(p_asked, p_patience) h);
  PERFORM pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT hashtextextended('propose ' || p."profileId" || ' ' || p."agentDid", 0) AS key
        FROM json_populate_recordset(NULL::"Proposal", p_asked) p ORDER BY key) k;

  -- One that ran out but was not swept yet holds the place of the same content: it makes room.
  UPDATE "Proposal" SET status = 'rejected', "reviewedAt" = "expiresAt", reason = 'expired'
  WHERE id = ANY (ARRAY(
    SELECT w.id FROM json_populate_recordset(NULL::"Proposal", p_asked) p CROSS JOIN LATERAL (
      SELECT w.id FROM "Proposal" w
      WHERE w."profileId" = p."profileId" AND w."agentDid" = p."agentDid" AND w.category = p.category
        AND w."contentHash" = p."contentHash" AND w.status = 'pending' AND w."expiresAt" <= p."proposedAt"
        AND w."heldAt" IS NULL
      LIMIT 1) w))
    AND status = 'pending';

  RETURN QUERY
  WITH asked AS (
    SELECT (a.value->>'place')::integer AS place, a.value->'event' AS event, a.value->>'sense' AS sense, p.*,
      row_number() OVER (PARTITION BY p."profileId", p."agentDid", p.category, p."contentHash"
                         ORDER BY (a.value->>'place')::integer) AS turn
    FROM json_array_elements(p_asked) a
    CROSS JOIN LATERAL json_populate_record(NULL::"Proposal", a.value) p
    WHERE (a.value->>'place')::integer = ANY (v_held)
  ), weighed AS (
    SELECT a.*, w.pending, w."nextEnd", w.same, w."sameExpiresAt", r.id AS "rejectionId", r.reason AS "rejectionReason",
      row_number() OVER (PARTITION BY a."profileId", a."agentDid", w.same IS NULL AND r.id IS NULL AND a.turn = 1
                         ORDER BY a.place) AS newcomer
    FROM asked a
    JOIN "Profile" k ON k.id = a."profileId"
    LEFT JOIN "Rejection" r ON r."profileId" = a."profileId" AND r."agentDid" = a."agentDid"
      -- As lib/services/proposals/deciding/rejections.ts writes it.
      AND r.fingerprint = sha256(k."rejectionKey" || sha256(k."rejectionKey" || convert_to(a.sense, 'UTF8')))
    CROSS JOIN LATERAL (
      SELECT count(*) AS pending, min(w."expiresAt") AS "nextEnd",
        min(w.id) FILTER (WHERE w.category = a.category AND w."contentHash" = a."contentHash") AS same,
        min(w."expiresAt") FILTER (WHERE w.category = a.category AND w."contentHash" = a."contentHash")
          AS "sameExpiresAt"
      FROM "Proposal" w
      WHERE w."profileId" = a."profileId" AND w."agentDid" = a."agentDid" AND w.status = 'pending'
        AND (w."expiresAt" > a."proposedAt" OR w."heldAt" IS NOT NULL)) w
  ), made AS (
    INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence,
      context, "proposedAt", "expiresAt", flags, "guardVersion", "likeText")
    SELECT g.id, g."profileId", g."agentDid", g.content, g."contentHash", g.category, g.confidence,
      g.context, g."proposedAt", g."expiresAt", g.flags, g."guardVersion", g."likeText"
    FROM weighed g
    WHERE g.same IS NULL AND g."rejectionId" IS NULL AND g.turn = 1 AND g.pending + g.newcomer <= p_most
    RETURNING "Proposal".*
  ), met AS (
    UPDATE "Rejection" r SET "timesMet" = r."timesMet" + m.times, "lastMetAt" = m.at
    FROM (SELECT "rejectionId", count(*) AS times, max("proposedAt") AS at FROM weighed
          WHERE same IS NULL AND "rejectionId" IS NOT NULL GROUP BY 1) m
    WHERE r.id = m."rejectionId"
  ), settled AS (
    SELECT g.place, g.event, g."nextEnd", m.id = g.id AS "isNew",
      g.same IS NULL AND g."rejectionId" IS NOT NULL AS "isRejected", g."rejectionReason",
      coalesce(g.same, m.id) AS id, coalesce(g."sameExpiresAt", m."expiresAt") AS "expiresAt"
    FROM weighed g
    LEFT JOIN made m ON m."profileId" = g."profileId" AND m."agentDid" = g."agentDid"
      AND m.category = g.category AND m."contentHash" = g."contentHash"
  ), told AS (
    INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, asked, granted,
      denied, items, reasons, "purposeType", "receiptId", "subjectId", detail, "requestId")
    SELECT e.id, e."profileId", e.at, e.actor, e."actorId", e.verb, e.outcome, e.asked, e.granted,
      e.denied, e.items, e.reasons, e."purposeType", e."receiptId", s.id, e.detail, e."requestId"
    FROM settled s CROSS JOIN LATERAL json_populate_record(NULL::"AccessEvent", s.event) e
    WHERE s.id IS NOT NULL
  )
  SELECT s.place, s.id::text, s."expiresAt", coalesce(s."isNew", false), s."nextEnd", s."isRejected",
    s."rejectionReason"
  FROM settled s;
END $function$;

CREATE OR REPLACE FUNCTION public.raise_own_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.raise_revision_by_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_dids text[] := '{}';
  v_did text;
BEGIN
  IF TG_OP <> 'INSERT' THEN v_dids := v_dids || ARRAY(SELECT did::text FROM old_rows WHERE slot IS NOT NULL); END IF;
  IF TG_OP <> 'DELETE' THEN v_dids := v_dids || ARRAY(SELECT did::text FROM new_rows WHERE slot IS NOT NULL); END IF;
  v_dids := ARRAY(SELECT DISTINCT did FROM unnest(v_dids) AS did ORDER BY did);
  -- Agents before profiles, as everywhere.
  FOREACH v_did IN ARRAY v_dids LOOP
    UPDATE "Agent" SET revision = revision + 1 WHERE did = v_did;
  END LOOP;
  FOREACH v_did IN ARRAY v_dids LOOP
    UPDATE "Profile" SET revision = revision + 1 WHERE did = v_did;
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.raise_revision_by_memories()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_ids integer[] := '{}';
  v_id integer;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    v_ids := v_ids || ARRAY(SELECT DISTINCT "profileId" FROM old_rows WHERE "archivedAt" IS NULL AND "deletedAt" IS NULL);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    v_ids := v_ids || ARRAY(SELECT DISTINCT "profileId" FROM new_rows WHERE "archivedAt" IS NULL AND "deletedAt" IS NULL);
  END IF;
  FOR v_id IN SELECT DISTINCT id FROM unnest(v_ids) AS id ORDER BY id LOOP
    -- An import, which may take minutes, locks its profile at its end and raises the revision then.
    CONTINUE WHEN current_setting('gateway.importing', true) = v_id::text;
    UPDATE "Profile" SET revision = revision + 1 WHERE id = v_id;
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.raise_revision_by_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE "Profile" SET revision = revision + 1
  WHERE id IN (SELECT id FROM "Profile" WHERE "ownerId" = NEW.id ORDER BY id FOR NO KEY UPDATE);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.raise_revision_of_profiles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_ids integer[] := '{}';
  v_id integer;
BEGIN
  IF TG_OP <> 'INSERT' THEN v_ids := ARRAY(SELECT DISTINCT "profileId" FROM old_rows); END IF;
  IF TG_OP <> 'DELETE' THEN v_ids := v_ids || ARRAY(SELECT DISTINCT "profileId" FROM new_rows); END IF;
  -- One by one, each by its key: in order, so that no two wait for each other.
  FOR v_id IN SELECT DISTINCT id FROM unnest(v_ids) AS id ORDER BY id LOOP
    -- An import, which may take minutes, locks its profile at its end and raises the revision then.
    CONTINUE WHEN current_setting('gateway.importing', true) = v_id::text;
    UPDATE "Profile" SET revision = revision + 1 WHERE id = v_id;
  END LOOP;
  RETURN NULL;
END $function$;

-- triggers

CREATE TRIGGER "AccessEvent_append_only" BEFORE DELETE OR UPDATE OF id, "profileId", at, actor, "actorId", verb, outcome, asked, granted, denied, items, reasons, "purposeType", "receiptId", "subjectId", detail, "requestId" ON public."AccessEvent" FOR EACH ROW EXECUTE FUNCTION keep_access_event();

CREATE TRIGGER "AccessEvent_no_truncate" BEFORE TRUNCATE ON public."AccessEvent" FOR EACH STATEMENT EXECUTE FUNCTION keep_access_event();

CREATE TRIGGER "AccessEvent_sealed_once" BEFORE UPDATE OF "position", hash ON public."AccessEvent" FOR EACH ROW WHEN ((old.hash IS NOT NULL)) EXECUTE FUNCTION keep_access_event();

CREATE TRIGGER "Account_gone" AFTER DELETE ON public."Account" FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION note_gone('provider.unlinked', 'provider', 'providerAccountId');

CREATE TRIGGER "AdminEvent_append_only" BEFORE DELETE OR UPDATE ON public."AdminEvent" FOR EACH ROW EXECUTE FUNCTION keep_row('admin events are append-only');

CREATE TRIGGER "AdminEvent_no_truncate" BEFORE TRUNCATE ON public."AdminEvent" FOR EACH STATEMENT EXECUTE FUNCTION keep_row('admin events are append-only');

CREATE TRIGGER "Agent_gone" AFTER DELETE ON public."Agent" FOR EACH ROW WHEN ((old.state <> 'pending'::"AgentState")) EXECUTE FUNCTION note_gone('agent.deleted', 'did');

CREATE TRIGGER "Agent_gone_narrowed" AFTER UPDATE OF verified, ceiling ON public."Agent" FOR EACH ROW WHEN (((old.verified AND (NOT new.verified)) OR (old.ceiling <> new.ceiling))) EXECUTE FUNCTION note_gone('agent.narrowed', 'did');

CREATE TRIGGER "Agent_gone_pending" AFTER DELETE ON public."Agent" FOR EACH ROW WHEN ((old.state = 'pending'::"AgentState")) EXECUTE FUNCTION note_gone('agent.withdrawn', 'did');

CREATE TRIGGER "Agent_gone_resumed" AFTER UPDATE OF state ON public."Agent" FOR EACH ROW WHEN (((old.state <> new.state) AND (old.state = 'suspended'::"AgentState"))) EXECUTE FUNCTION note_gone('agent.restored', 'did');

CREATE TRIGGER "Agent_gone_suspended" AFTER UPDATE OF state ON public."Agent" FOR EACH ROW WHEN (((old.state <> new.state) AND (new.state = 'suspended'::"AgentState"))) EXECUTE FUNCTION note_gone('agent.suspended', 'did');

CREATE TRIGGER "Agent_revision" BEFORE UPDATE ON public."Agent" FOR EACH ROW WHEN (((((old.state IS DISTINCT FROM new.state) OR (old.verified IS DISTINCT FROM new.verified)) OR (old.ceiling IS DISTINCT FROM new.ceiling)) OR (old.limits IS DISTINCT FROM new.limits))) EXECUTE FUNCTION raise_own_revision();

CREATE TRIGGER "ApproveRule_gone" AFTER UPDATE OF "endedAt" ON public."ApproveRule" FOR EACH ROW WHEN (((old."endedAt" IS NULL) AND (new."endedAt" IS NOT NULL))) EXECUTE FUNCTION note_gone('approving.ended', 'id');

CREATE TRIGGER "ConnectionToken_gone" AFTER UPDATE OF "revokedAt" ON public."ConnectionToken" FOR EACH ROW WHEN (((old."revokedAt" IS NULL) AND (new."revokedAt" IS NOT NULL))) EXECUTE FUNCTION note_gone('token.revoked', 'id');

CREATE TRIGGER "ConnectionToken_gone_restored" AFTER UPDATE OF "revokedAt" ON public."ConnectionToken" FOR EACH ROW WHEN (((old."revokedAt" IS NOT NULL) AND (new."revokedAt" IS NULL))) EXECUTE FUNCTION note_gone('token.restored', 'id');

CREATE TRIGGER "Gone_append_only" BEFORE DELETE OR UPDATE ON public."Gone" FOR EACH ROW EXECUTE FUNCTION keep_row('the list of what is gone is append-only');

CREATE TRIGGER "Gone_no_truncate" BEFORE TRUNCATE ON public."Gone" FOR EACH STATEMENT EXECUTE FUNCTION keep_row('the list of what is gone is append-only');

CREATE TRIGGER "Key_gone" AFTER UPDATE OF "revokedAt" ON public."Key" FOR EACH ROW WHEN (((old."revokedAt" IS NULL) AND (new."revokedAt" IS NOT NULL))) EXECUTE FUNCTION note_gone('key.revoked', 'id');

CREATE TRIGGER "Key_revision_delete" AFTER DELETE ON public."Key" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_keys();

CREATE TRIGGER "Key_revision_insert" AFTER INSERT ON public."Key" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_keys();

CREATE TRIGGER "Key_revision_update" AFTER UPDATE ON public."Key" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_keys();

CREATE TRIGGER "Mailbox_gone" AFTER UPDATE ON public."Mailbox" FOR EACH ROW WHEN (((old.requests AND (NOT new.requests)) OR (old.agents AND (NOT new.agents)) OR ((old.digest <> 'never'::"DigestEvery") AND (new.digest = 'never'::"DigestEvery")) OR (old.contents AND (NOT new.contents)) OR (NOT (old."mutedAgents" @> new."mutedAgents")))) EXECUTE FUNCTION note_gone('mail.stopped', 'userId');

CREATE TRIGGER "Mailbox_gone_row" AFTER DELETE ON public."Mailbox" FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION note_gone('mail.stopped', 'userId');

CREATE TRIGGER "Memory_gone" AFTER UPDATE OF "deletedAt" ON public."Memory" FOR EACH ROW WHEN (((old."deletedAt" IS NULL) AND (new."deletedAt" IS NOT NULL))) EXECUTE FUNCTION note_gone('memory.deleted', 'id');

CREATE TRIGGER "Memory_gone_restored" AFTER UPDATE OF "deletedAt" ON public."Memory" FOR EACH ROW WHEN (((old."deletedAt" IS NOT NULL) AND (new."deletedAt" IS NULL))) EXECUTE FUNCTION note_gone('memory.restored', 'id');

CREATE TRIGGER "Memory_gone_row" AFTER DELETE ON public."Memory" FOR EACH ROW WHEN (((old."deletedAt" IS NULL) AND (pg_trigger_depth() = 0) AND (current_setting('gateway.erasing'::text, true) IS DISTINCT FROM (old."profileId")::text))) EXECUTE FUNCTION note_gone('memory.deleted', 'id');

CREATE TRIGGER "Memory_revision_delete" AFTER DELETE ON public."Memory" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_memories();

CREATE TRIGGER "Memory_revision_insert" AFTER INSERT ON public."Memory" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_memories();

CREATE TRIGGER "Memory_revision_update" AFTER UPDATE ON public."Memory" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_memories();

CREATE TRIGGER "NamedValue_gone" AFTER DELETE ON public."NamedValue" FOR EACH ROW WHEN (((pg_trigger_depth() = 0) AND (current_setting('gateway.erasing'::text, true) IS DISTINCT FROM (old."profileId")::text))) EXECUTE FUNCTION note_gone('value.removed', 'profileId', 'category', 'name');

CREATE TRIGGER "NamedValue_revision_delete" AFTER DELETE ON public."NamedValue" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE TRIGGER "NamedValue_revision_insert" AFTER INSERT ON public."NamedValue" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE TRIGGER "NamedValue_revision_update" AFTER UPDATE ON public."NamedValue" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE TRIGGER "Policy_gone" AFTER UPDATE ON public."Policy" FOR EACH ROW WHEN ((((((((((((old."agentPattern")::text IS DISTINCT FROM (new."agentPattern")::text) OR (old."verifiedOnly" IS DISTINCT FROM new."verifiedOnly")) OR (old.allow IS DISTINCT FROM new.allow)) OR (old.deny IS DISTINCT FROM new.deny)) OR (old.permissions IS DISTINCT FROM new.permissions)) OR (old.purposes IS DISTINCT FROM new.purposes)) OR ((old."maxRetention")::text IS DISTINCT FROM (new."maxRetention")::text)) OR (old."receiptSeconds" IS DISTINCT FROM new."receiptSeconds")) OR (old.enabled IS DISTINCT FROM new.enabled)) OR (old."expiresAt" IS DISTINCT FROM new."expiresAt"))) EXECUTE FUNCTION note_gone('policy.changed', 'id');

CREATE TRIGGER "Policy_gone_denied" AFTER INSERT ON public."Policy" FOR EACH ROW WHEN ((new.enabled AND (cardinality(new.deny) > 0))) EXECUTE FUNCTION note_gone('policy.denied', 'profileId');

CREATE TRIGGER "Policy_gone_denies" AFTER UPDATE ON public."Policy" FOR EACH ROW WHEN ((new.enabled AND (cardinality(new.deny) > 0) AND ((((((old.enabled IS DISTINCT FROM new.enabled) OR (old.deny IS DISTINCT FROM new.deny)) OR ((old."agentPattern")::text IS DISTINCT FROM (new."agentPattern")::text)) OR (old."verifiedOnly" IS DISTINCT FROM new."verifiedOnly")) OR (old.permissions IS DISTINCT FROM new.permissions)) OR (old."expiresAt" IS DISTINCT FROM new."expiresAt")))) EXECUTE FUNCTION note_gone('policy.denied', 'profileId');

CREATE TRIGGER "Policy_gone_row" AFTER DELETE ON public."Policy" FOR EACH ROW WHEN (((pg_trigger_depth() = 0) AND (current_setting('gateway.erasing'::text, true) IS DISTINCT FROM (old."profileId")::text))) EXECUTE FUNCTION note_gone('policy.changed', 'id');

CREATE TRIGGER "Policy_revision_delete" AFTER DELETE ON public."Policy" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE TRIGGER "Policy_revision_insert" AFTER INSERT ON public."Policy" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE TRIGGER "Policy_revision_update" AFTER UPDATE ON public."Policy" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE TRIGGER "Profile_gone" AFTER DELETE ON public."Profile" FOR EACH ROW EXECUTE FUNCTION note_gone('profile.erased', 'did');

CREATE TRIGGER "Profile_gone_resumed" AFTER UPDATE OF state ON public."Profile" FOR EACH ROW WHEN (((old.state <> new.state) AND (old.state = 'suspended'::"ProfileState"))) EXECUTE FUNCTION note_gone('profile.restored', 'did');

CREATE TRIGGER "Profile_gone_suspended" AFTER UPDATE OF state ON public."Profile" FOR EACH ROW WHEN (((old.state <> new.state) AND (new.state = 'suspended'::"ProfileState"))) EXECUTE FUNCTION note_gone('profile.suspended', 'did');

CREATE TRIGGER "Profile_gone_transferred" AFTER UPDATE OF "ownerId" ON public."Profile" FOR EACH ROW WHEN (((old."ownerId")::text <> (new."ownerId")::text)) EXECUTE FUNCTION note_gone('profile.transferred', 'did');

CREATE TRIGGER "Profile_gone_values" AFTER UPDATE OF common ON public."Profile" FOR EACH ROW WHEN ((old.common IS DISTINCT FROM new.common)) EXECUTE FUNCTION note_removed_values();

CREATE TRIGGER "Profile_revision" BEFORE UPDATE ON public."Profile" FOR EACH ROW WHEN (((((((old."ownerId")::text IS DISTINCT FROM (new."ownerId")::text) OR (old."profileType" IS DISTINCT FROM new."profileType")) OR ((old.version)::text IS DISTINCT FROM (new.version)::text)) OR (old.state IS DISTINCT FROM new.state)) OR (old.common IS DISTINCT FROM new.common))) EXECUTE FUNCTION raise_own_revision();

CREATE TRIGGER "Receipt_gone" AFTER UPDATE OF "revokedAt" ON public."Receipt" FOR EACH ROW WHEN (((old."revokedAt" IS NULL) AND (new."revokedAt" IS NOT NULL))) EXECUTE FUNCTION note_gone('receipt.revoked', 'id');

CREATE TRIGGER "Receipt_gone_restored" AFTER UPDATE OF "revokedAt" ON public."Receipt" FOR EACH ROW WHEN (((old."revokedAt" IS NOT NULL) AND (new."revokedAt" IS NULL))) EXECUTE FUNCTION note_gone('receipt.restored', 'id');

CREATE TRIGGER "Receipt_revision_delete" AFTER DELETE ON public."Receipt" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE TRIGGER "Receipt_revision_insert" AFTER INSERT ON public."Receipt" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE TRIGGER "Receipt_revision_update" AFTER UPDATE ON public."Receipt" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE TRIGGER "Reviewer_gone" AFTER UPDATE OF "endedAt" ON public."Reviewer" FOR EACH ROW WHEN (((old."endedAt" IS NULL) AND (new."endedAt" IS NOT NULL))) EXECUTE FUNCTION note_gone('reviewing.ended', 'id');

CREATE TRIGGER "User_gone" AFTER DELETE ON public."User" FOR EACH ROW EXECUTE FUNCTION note_gone('account.erased', 'id');

CREATE TRIGGER "User_gone_address" AFTER UPDATE OF email ON public."User" FOR EACH ROW WHEN (((old.email)::text <> (new.email)::text)) EXECUTE FUNCTION note_gone('address.changed', 'id');

CREATE TRIGGER "User_gone_demoted" AFTER UPDATE OF role ON public."User" FOR EACH ROW WHEN (((old.role <> new.role) AND (old.role = 'admin'::"Role"))) EXECUTE FUNCTION note_gone('admin.removed', 'id');

CREATE TRIGGER "User_gone_password" AFTER UPDATE OF "passwordHash" ON public."User" FOR EACH ROW WHEN (((old."passwordHash" IS NOT NULL) AND ((old."passwordHash")::text IS DISTINCT FROM (new."passwordHash")::text) AND (current_setting('gateway.rehashing'::text, true) IS DISTINCT FROM (old.id)::text))) EXECUTE FUNCTION note_gone('password.changed', 'id');

CREATE TRIGGER "User_gone_promoted" AFTER UPDATE OF role ON public."User" FOR EACH ROW WHEN (((old.role <> new.role) AND (new.role = 'admin'::"Role"))) EXECUTE FUNCTION note_gone('admin.restored', 'id');

CREATE TRIGGER "User_gone_resumed" AFTER UPDATE OF state ON public."User" FOR EACH ROW WHEN (((old.state <> new.state) AND (old.state = 'suspended'::"UserState"))) EXECUTE FUNCTION note_gone('account.restored', 'id');

CREATE TRIGGER "User_gone_suspended" AFTER UPDATE OF state ON public."User" FOR EACH ROW WHEN (((old.state <> new.state) AND (new.state = 'suspended'::"UserState"))) EXECUTE FUNCTION note_gone('account.suspended', 'id');

CREATE TRIGGER "User_revision" AFTER UPDATE OF state ON public."User" FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION raise_revision_by_users();

CREATE TRIGGER "Webhook_gone" AFTER DELETE ON public."Webhook" FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION note_gone('webhook.removed', 'agentDid');

CREATE TRIGGER "Webhook_gone_moved" AFTER UPDATE OF url ON public."Webhook" FOR EACH ROW WHEN (((old.url)::text <> (new.url)::text)) EXECUTE FUNCTION note_gone('webhook.removed', 'agentDid');
