-- extensions

CREATE EXTENSION btree_gin;

CREATE EXTENSION btree_gist;

CREATE EXTENSION pg_trgm;

-- enums

CREATE TYPE "ActorKind" AS ENUM ('agent', 'owner', 'admin', 'system');

CREATE TYPE "AgentOrigin" AS ENUM ('itself', 'user', 'admin');

CREATE TYPE "AgentState" AS ENUM ('pending', 'active', 'suspended');

CREATE TYPE "ConsentStatus" AS ENUM ('pending', 'granted', 'denied');

CREATE TYPE "LinkPurpose" AS ENUM ('first_admin', 'invitation', 'password_reset');

CREATE TYPE "MemorySource" AS ENUM ('owner', 'agent', 'imported');

CREATE TYPE "Permission" AS ENUM ('read', 'propose');

CREATE TYPE "PolicyOrigin" AS ENUM ('owner', 'template', 'consent', 'token');

CREATE TYPE "ProfileState" AS ENUM ('active', 'suspended');

CREATE TYPE "ProfileType" AS ENUM ('human', 'agent', 'entity');

CREATE TYPE "ProposalStatus" AS ENUM ('pending', 'approved', 'rejected');

CREATE TYPE "RevisionCause" AS ENUM ('created', 'edited', 'moved', 'replaced', 'archived', 'deleted', 'restored');

CREATE TYPE "Role" AS ENUM ('user', 'admin');

CREATE TYPE "UserState" AS ENUM ('active', 'suspended');

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
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
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
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lastSeenAt" timestamp(3) with time zone
);

CREATE TABLE "AgentDay" (
  did character varying(144) NOT NULL,
  day date NOT NULL,
  requests integer NOT NULL DEFAULT 0,
  denied integer NOT NULL DEFAULT 0
);

CREATE TABLE "ConnectionToken" (
  id character varying(32) NOT NULL,
  "tokenHash" bytea NOT NULL,
  "policyId" character varying(32),
  "lastFour" character(4) NOT NULL,
  "profileId" integer NOT NULL,
  "agentDid" character varying(144) NOT NULL,
  label character varying(100),
  scopes character varying(128)[] DEFAULT (ARRAY[]::character varying[])::character varying(128)[],
  permissions "Permission"[] DEFAULT ARRAY[]::"Permission"[],
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "lastUsedAt" timestamp(3) with time zone,
  "revokedAt" timestamp(3) with time zone
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
  "requestedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "decidedAt" timestamp(3) with time zone,
  "refusedUntil" timestamp(3) with time zone
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
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "revokedAt" timestamp(3) with time zone,
  "addedBy" character varying(32)
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
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "archivedAt" timestamp(3) with time zone,
  "deletedAt" timestamp(3) with time zone,
  "replacedById" character varying(32)
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
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "NamedValue" (
  "profileId" integer NOT NULL,
  category character varying(128) NOT NULL,
  name character varying(64) NOT NULL,
  value jsonb NOT NULL,
  "updatedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "Nonce" (
  slot smallint NOT NULL,
  did character varying(144) NOT NULL,
  nonce character varying(128) NOT NULL,
  "expiresAt" timestamp(3) with time zone NOT NULL
) PARTITION BY LIST (slot);

CREATE TABLE "OneTimeLink" (
  "tokenHash" bytea NOT NULL,
  purpose "LinkPurpose" NOT NULL,
  email character varying(254),
  "userId" character varying(32),
  role "Role" NOT NULL DEFAULT 'user'::"Role",
  "createdBy" character varying(32),
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
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
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "Profile" (
  id integer NOT NULL DEFAULT nextval('"Profile_id_seq"'::regclass),
  did character varying(144) NOT NULL,
  "ownerId" character varying(32) NOT NULL,
  "profileType" "ProfileType" NOT NULL DEFAULT 'human'::"ProfileType",
  version character varying(16) NOT NULL DEFAULT '1.0'::character varying,
  state "ProfileState" NOT NULL DEFAULT 'active'::"ProfileState",
  common jsonb NOT NULL DEFAULT '{"preferences": {}}'::jsonb,
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "visitedAt" timestamp(3) with time zone,
  "visitedBefore" timestamp(3) with time zone
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
  "proposedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "reviewedAt" timestamp(3) with time zone,
  "reviewedBy" character varying(144),
  reason character varying(500),
  imported boolean NOT NULL DEFAULT false
);

CREATE TABLE "RateHit" (
  caller character varying(160) NOT NULL,
  class character varying(32) NOT NULL,
  number bigint NOT NULL,
  "admittedAt" timestamp(6) with time zone NOT NULL
);

CREATE TABLE "RateWindow" (
  caller character varying(160) NOT NULL,
  class character varying(32) NOT NULL,
  oldest bigint NOT NULL DEFAULT 0,
  next bigint NOT NULL DEFAULT 0
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
  "grantedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "revokedAt" timestamp(3) with time zone
);

CREATE TABLE "RetiredDid" (
  "didHash" bytea NOT NULL,
  "retiredAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "Seal" (
  "profileId" integer NOT NULL,
  "position" bigint NOT NULL,
  hash bytea NOT NULL,
  "sealedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "Session" (
  "tokenHash" bytea NOT NULL,
  id character varying(32) NOT NULL,
  "userId" character varying(32) NOT NULL,
  "userAgent" character varying(255),
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lastSeenAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expiresAt" timestamp(3) with time zone NOT NULL,
  "confirmedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "Setting" (
  key character varying(64) NOT NULL,
  value jsonb NOT NULL,
  "updatedAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedBy" character varying(32)
);

CREATE TABLE "Transfer" (
  "profileId" integer NOT NULL,
  "fromUserId" character varying(32) NOT NULL,
  "toUserId" character varying(32) NOT NULL,
  "requestedBy" character varying(32),
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
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
  "createdAt" timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lastSeenAt" timestamp(3) with time zone,
  "resetLinkMadeAt" timestamp(3) with time zone
);

-- partitions

CREATE TABLE "Nonce_0" PARTITION OF "Nonce" FOR VALUES IN ('0');

CREATE TABLE "Nonce_1" PARTITION OF "Nonce" FOR VALUES IN ('1');

CREATE TABLE "Nonce_2" PARTITION OF "Nonce" FOR VALUES IN ('2');

CREATE TABLE "Nonce_3" PARTITION OF "Nonce" FOR VALUES IN ('3');

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

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_one_year" CHECK ((("expiresAt" > "createdAt") AND ("expiresAt" <= ("createdAt" + '365 days'::interval))));

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_pkey" PRIMARY KEY (id);

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_scopes_bounded" CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 50)));

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_tokenHash_sha256" CHECK ((octet_length("tokenHash") = 32));

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_policyId_fkey" FOREIGN KEY ("policyId") REFERENCES "Policy"(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "ConsentRequest" ADD CONSTRAINT "ConsentRequest_decided_once" CHECK (((status = 'pending'::"ConsentStatus") = ("decidedAt" IS NULL)));

ALTER TABLE "ConsentRequest" ADD CONSTRAINT "ConsentRequest_pkey" PRIMARY KEY (id);

ALTER TABLE "ConsentRequest" ADD CONSTRAINT "ConsentRequest_scopes_bounded" CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 50)));

ALTER TABLE "ConsentRequest" ADD CONSTRAINT "ConsentRequest_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Job" ADD CONSTRAINT "Job_pkey" PRIMARY KEY (name);

ALTER TABLE "Key" ADD CONSTRAINT "Key_pkey" PRIMARY KEY (id);

ALTER TABLE "Key" ADD CONSTRAINT "Key_publicKey_ed25519" CHECK ((octet_length("publicKey") = 32));

ALTER TABLE "Key" ADD CONSTRAINT "Key_slot_five" CHECK (((slot >= 1) AND (slot <= 5)));

ALTER TABLE "Key" ADD CONSTRAINT "Key_slot_while_active" CHECK (((slot IS NULL) = ("revokedAt" IS NOT NULL)));

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

ALTER TABLE "Nonce" ADD CONSTRAINT "Nonce_pkey" PRIMARY KEY (did, nonce, slot);

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

ALTER TABLE "Profile" ADD CONSTRAINT "Profile_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_category_form" CHECK (is_category((category)::text));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_confidence_fraction" CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision)));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_contentHash_sha256" CHECK ((octet_length("contentHash") = 32));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_content_some" CHECK ((length(btrim((content)::text)) >= 1));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_decided_once" CHECK (((status = 'pending'::"ProposalStatus") = ("reviewedAt" IS NULL)));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_expires_later" CHECK (("expiresAt" > "proposedAt"));

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_pkey" PRIMARY KEY (id);

ALTER TABLE "Proposal" ADD CONSTRAINT "Proposal_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "RateHit" ADD CONSTRAINT "RateHit_pkey" PRIMARY KEY (caller, class, number);

ALTER TABLE "RateWindow" ADD CONSTRAINT "RateWindow_pkey" PRIMARY KEY (caller, class);

ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_one_day" CHECK ((("expiresAt" > "grantedAt") AND ("expiresAt" <= ("grantedAt" + '24:00:00'::interval))));

ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_pkey" PRIMARY KEY (id);

ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_scopes_bounded" CHECK (((cardinality("grantedScopes") >= 1) AND (cardinality("grantedScopes") <= 50)));

ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "RetiredDid" ADD CONSTRAINT "RetiredDid_didHash_sha256" CHECK ((octet_length("didHash") = 32));

ALTER TABLE "RetiredDid" ADD CONSTRAINT "RetiredDid_pkey" PRIMARY KEY ("didHash");

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

-- indexes

CREATE INDEX "AccessEvent_profileId_actorId_at_idx" ON public."AccessEvent" USING btree ("profileId", "actorId", at DESC);

CREATE INDEX "AccessEvent_profileId_position_idx" ON public."AccessEvent" USING btree ("profileId", "position");

CREATE INDEX "AccessEvent_shown_idx" ON public."AccessEvent" USING btree ("profileId", at DESC, id DESC, verb, outcome, "actorId");

CREATE INDEX "AccessEvent_unsealed_idx" ON public."AccessEvent" USING btree (at, id) WHERE (hash IS NULL);

CREATE UNIQUE INDEX "Account_userId_provider_key" ON public."Account" USING btree ("userId", provider);

CREATE INDEX "AdminEvent_adminId_at_id_idx" ON public."AdminEvent" USING btree ("adminId", at DESC, id DESC);

CREATE INDEX "AdminEvent_at_id_idx" ON public."AdminEvent" USING btree (at DESC, id DESC);

CREATE INDEX "AdminEvent_subjectId_at_id_idx" ON public."AdminEvent" USING btree ("subjectId", at DESC, id DESC);

CREATE INDEX "Agent_registeredBy_idx" ON public."Agent" USING btree ("registeredBy") WHERE ("registeredBy" IS NOT NULL);

CREATE INDEX "Agent_search_idx" ON public."Agent" USING gin (did gin_trgm_ops, name gin_trgm_ops);

CREATE INDEX "Agent_state_createdAt_did_idx" ON public."Agent" USING btree (state, "createdAt", did);

CREATE INDEX "ConnectionToken_policyId_idx" ON public."ConnectionToken" USING btree ("policyId");

CREATE INDEX "ConnectionToken_profileId_agentDid_idx" ON public."ConnectionToken" USING btree ("profileId", "agentDid");

CREATE INDEX "ConnectionToken_profileId_createdAt_idx" ON public."ConnectionToken" USING btree ("profileId", "createdAt" DESC);

CREATE UNIQUE INDEX "ConnectionToken_tokenHash_key" ON public."ConnectionToken" USING btree ("tokenHash");

CREATE UNIQUE INDEX "ConsentRequest_profileId_agentDid_purposeType_key" ON public."ConsentRequest" USING btree ("profileId", "agentDid", "purposeType") WHERE (status = 'pending'::"ConsentStatus");

CREATE INDEX "ConsentRequest_profileId_status_requestedAt_idx" ON public."ConsentRequest" USING btree ("profileId", status, "requestedAt" DESC);

CREATE INDEX "ConsentRequest_refused_idx" ON public."ConsentRequest" USING btree ("profileId", "agentDid", "purposeType", "refusedUntil") WHERE ("refusedUntil" IS NOT NULL);

CREATE INDEX "Key_addedBy_idx" ON public."Key" USING btree ("addedBy") WHERE ("addedBy" IS NOT NULL);

CREATE UNIQUE INDEX "Key_did_publicKey_key" ON public."Key" USING btree (did, "publicKey");

CREATE UNIQUE INDEX "Key_did_slot_key" ON public."Key" USING btree (did, slot);

CREATE INDEX "Memory_deletedAt_idx" ON public."Memory" USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX "Memory_live_category_idx" ON public."Memory" USING btree ("profileId", category, "createdAt" DESC, id DESC) WHERE (("archivedAt" IS NULL) AND ("deletedAt" IS NULL));

CREATE INDEX "Memory_live_idx" ON public."Memory" USING btree ("profileId", "createdAt" DESC, id DESC) WHERE (("archivedAt" IS NULL) AND ("deletedAt" IS NULL));

CREATE INDEX "Memory_nearest_idx" ON public."Memory" USING gist ("profileId", "left"((content)::text, 500) gist_trgm_ops (siglen='64')) WHERE (("archivedAt" IS NULL) AND ("deletedAt" IS NULL));

CREATE INDEX "Memory_profileId_id_idx" ON public."Memory" USING btree ("profileId", id);

CREATE UNIQUE INDEX "Memory_proposalId_key" ON public."Memory" USING btree ("proposalId");

CREATE INDEX "Memory_replacedById_idx" ON public."Memory" USING btree ("replacedById") WHERE ("replacedById" IS NOT NULL);

CREATE INDEX "Memory_similar_idx" ON public."Memory" USING gin ("profileId", content gin_trgm_ops) WITH (gin_pending_list_limit='128');

CREATE INDEX "Memory_words_idx" ON public."Memory" USING gin ("profileId", to_tsvector('simple'::regconfig, (content)::text)) WITH (gin_pending_list_limit='128');

CREATE INDEX "MemoryRevision_memoryId_id_idx" ON public."MemoryRevision" USING btree ("memoryId", id);

CREATE INDEX "Nonce_expiresAt_idx" ON ONLY public."Nonce" USING btree ("expiresAt");

CREATE INDEX "OneTimeLink_expiresAt_idx" ON public."OneTimeLink" USING btree ("expiresAt");

CREATE UNIQUE INDEX "OneTimeLink_userId_key" ON public."OneTimeLink" USING btree ("userId");

CREATE INDEX "Policy_agentPattern_idx" ON public."Policy" USING btree ("agentPattern");

CREATE INDEX "Policy_consentRequestId_idx" ON public."Policy" USING btree ("consentRequestId");

CREATE INDEX "Policy_profileId_idx" ON public."Policy" USING btree ("profileId");

CREATE INDEX "Profile_createdAt_id_idx" ON public."Profile" USING btree ("createdAt", id);

CREATE UNIQUE INDEX "Profile_did_key" ON public."Profile" USING btree (did);

CREATE INDEX "Profile_ownerId_idx" ON public."Profile" USING btree ("ownerId");

CREATE INDEX "Profile_search_idx" ON public."Profile" USING gin (did gin_trgm_ops);

CREATE INDEX "Proposal_confident_idx" ON public."Proposal" USING btree ("profileId", confidence DESC, id DESC) WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_decided_idx" ON public."Proposal" USING btree ("profileId", COALESCE("reviewedAt", "expiresAt") DESC, id DESC);

CREATE INDEX "Proposal_decided_similar_idx" ON public."Proposal" USING gin ("profileId", content gin_trgm_ops) WITH (gin_pending_list_limit='128') WHERE (status <> 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_expiresAt_idx" ON public."Proposal" USING btree ("expiresAt") WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_expiring_idx" ON public."Proposal" USING btree ("profileId", "expiresAt", id) WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_made_here_idx" ON public."Proposal" USING btree ("agentDid", status) WHERE (NOT imported);

CREATE INDEX "Proposal_nearest_idx" ON public."Proposal" USING gist ("profileId", "left"((content)::text, 500) gist_trgm_ops (siglen='64')) WHERE (status = 'pending'::"ProposalStatus");

CREATE UNIQUE INDEX "Proposal_profileId_agentDid_category_contentHash_key" ON public."Proposal" USING btree ("profileId", "agentDid", category, "contentHash") WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "Proposal_profileId_agentDid_proposedAt_id_idx" ON public."Proposal" USING btree ("profileId", "agentDid", "proposedAt" DESC, id DESC);

CREATE INDEX "Proposal_profileId_proposedAt_id_idx" ON public."Proposal" USING btree ("profileId", "proposedAt" DESC, id DESC);

CREATE INDEX "Proposal_profileId_status_proposedAt_id_idx" ON public."Proposal" USING btree ("profileId", status, "proposedAt" DESC, id DESC);

CREATE INDEX "Proposal_similar_idx" ON public."Proposal" USING gin ("profileId", content gin_trgm_ops) WITH (gin_pending_list_limit='128') WHERE (status = 'pending'::"ProposalStatus");

CREATE INDEX "RateHit_admittedAt_idx" ON public."RateHit" USING btree ("admittedAt");

CREATE INDEX "Receipt_profileId_agentDid_expiresAt_idx" ON public."Receipt" USING btree ("profileId", "agentDid", "expiresAt" DESC);

CREATE INDEX "Receipt_profileId_grantedAt_id_idx" ON public."Receipt" USING btree ("profileId", "grantedAt" DESC, id DESC);

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

-- functions

CREATE OR REPLACE FUNCTION public.admit_all(p_dids text[], p_nonces text[], p_untils timestamp with time zone[], p_callers text[], p_classes text[], p_limits integer[], p_ats timestamp with time zone[], p_window interval, p_patience text)
 RETURNS TABLE(place bigint, fresh boolean, admitted boolean, remaining integer, "resetAt" timestamp with time zone)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  v_stale bigint[];
  v_callers text[];
  v_classes text[];
  v_quotas integer[];
  v_asks bigint[];
  v_oldest bigint[];
  v_next bigint[];
  v_missing integer;
  v_at timestamptz;
BEGIN
  PERFORM set_config('lock_timeout', p_patience, true);
  v_stale := claim_nonces(p_dids, p_nonces, p_untils);

  -- All windows, ours until the end, and how many want to get in through each. One that is swept away
  -- meanwhile is made anew. Of two limits for the same window, as where one is just being changed, the lower.
  LOOP
    SELECT array_agg(k.caller), array_agg(k.class), array_agg(k.quota), array_agg(k.asks),
      array_agg(w.oldest), array_agg(w.next), count(*) FILTER (WHERE w.next IS NULL)
    INTO v_callers, v_classes, v_quotas, v_asks, v_oldest, v_next, v_missing
    FROM (SELECT a.caller, a.class, min(a.quota) AS quota, count(*) AS asks
          FROM unnest(p_callers, p_classes, p_limits) WITH ORDINALITY AS a (caller, class, quota, place)
          WHERE a.place <> ALL (v_stale) GROUP BY a.caller, a.class ORDER BY a.caller, a.class) k
    LEFT JOIN LATERAL (
      SELECT w.oldest, w.next FROM "RateWindow" w
      WHERE w.caller = k.caller AND w.class = k.class FOR UPDATE) w ON true;
    EXIT WHEN v_missing = 0;

    INSERT INTO "RateWindow" (caller, class)
    SELECT k.caller, k.class FROM unnest(v_callers, v_classes, v_next) AS k (caller, class, next)
    WHERE k.next IS NULL ORDER BY k.caller, k.class
    ON CONFLICT DO NOTHING;
  END LOOP;
  v_at := coalesce((SELECT max(t) FROM unnest(p_ats) t), clock_timestamp());

  -- Where a window that was swept left hits behind, they still count.
  IF 0 = ANY (v_next) THEN
    v_next := ARRAY(
      SELECT CASE WHEN w.next > 0 THEN w.next ELSE coalesce(
        (SELECT max(h.number) + 1 FROM "RateHit" h WHERE h.caller = w.caller AND h.class = w.class), 0) END
      FROM unnest(v_callers, v_classes, v_next) WITH ORDINALITY AS w (caller, class, next, place)
      ORDER BY w.place);
  END IF;

  -- Whoever shows a nonce a second time counts for nothing, and is told what is left.
  IF cardinality(v_stale) > 0 THEN
    RETURN QUERY
    SELECT a.place, false, false,
      greatest(0, a.quota - coalesce(w.next - coalesce(f.number, w.next), 0))::integer,
      coalesce(f."admittedAt", v_at) + p_window
    FROM unnest(p_callers, p_classes, p_limits) WITH ORDINALITY AS a (caller, class, quota, place)
    LEFT JOIN LATERAL (
      SELECT * FROM "RateWindow" w WHERE w.caller = a.caller AND w.class = a.class LIMIT 1) w ON true
    LEFT JOIN LATERAL (
      SELECT h.number, h."admittedAt" FROM "RateHit" h
      WHERE h.caller = w.caller AND h.class = w.class AND h.number >= w.oldest
        AND h."admittedAt" + p_window > v_at
      ORDER BY h.number LIMIT 1) f ON true
    WHERE a.place = ANY (v_stale);
  END IF;

  RETURN QUERY
  WITH stood AS MATERIALIZED (
    SELECT w.caller, w.class, w.quota, f."admittedAt" AS since, w.next,
      coalesce(f.number, w.next) AS oldest,
      least(w.asks, greatest(0, w.quota - (w.next - coalesce(f.number, w.next)))) AS hits
    FROM unnest(v_callers, v_classes, v_quotas, v_asks, v_oldest, v_next)
      AS w (caller, class, quota, asks, oldest, next)
    LEFT JOIN LATERAL (
      SELECT h.number, h."admittedAt" FROM "RateHit" h
      WHERE h.caller = w.caller AND h.class = w.class AND h.number >= w.oldest
        AND h."admittedAt" + p_window > v_at
      ORDER BY h.number LIMIT 1) f ON true
  ), hit AS (
    INSERT INTO "RateHit" (caller, class, number, "admittedAt")
    SELECT s.caller, s.class, n, v_at FROM stood s, generate_series(s.next, s.next + s.hits - 1) n
  ), moved AS (
    -- The list, so that no plan from when there were few windows reads all of them later.
    UPDATE "RateWindow" w SET oldest = s.oldest, next = s.next + s.hits
    FROM stood s
    WHERE s.hits > 0 AND w.caller = ANY (v_callers) AND w.caller = s.caller AND w.class = s.class
  ), numbered AS (
    SELECT a.place, s.caller, s.class, s.quota, s.since, s.next, s.oldest, a.turn <= s.hits AS admitted,
      s.next + least(a.turn, s.hits) AS upto
    FROM (SELECT t.*, row_number() OVER (PARTITION BY t.caller, t.class ORDER BY t.place) AS turn
          FROM unnest(p_callers, p_classes) WITH ORDINALITY AS t (caller, class, place)
          WHERE t.place <> ALL (v_stale)) a
    JOIN stood s ON s.caller = a.caller AND s.class = a.class
  )
  SELECT n.place, true, n.admitted, greatest(0, n.quota - (n.upto - n.oldest))::integer,
    -- Above a limit that was lowered, several hits have to leave before there is room again.
    coalesce(
      (SELECT h."admittedAt" FROM "RateHit" h
       WHERE n.upto - n.oldest > n.quota AND h.caller = n.caller AND h.class = n.class
         AND h.number = n.upto - n.quota),
      n.since, v_at) + p_window
  FROM numbered n;
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

CREATE OR REPLACE FUNCTION public.claim_nonces(p_dids text[], p_nonces text[], p_untils timestamp with time zone[])
 RETURNS bigint[]
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  v_used bigint[];
BEGIN
  PERFORM pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT nonce_lock(s.did, s.nonce) AS key
        FROM unnest(p_dids, p_nonces) AS s (did, nonce) WHERE s.nonce IS NOT NULL ORDER BY key) k;

  -- Of the same nonce twice in one party, the first counts. OFFSET, so that each is looked up by its key: the
  -- plan that is kept would read all nonces to compare them with a few.
  v_used := ARRAY(
    SELECT s.place
    FROM (SELECT t.*, row_number() OVER (PARTITION BY t.did, t.nonce ORDER BY t.place) AS turn
          FROM unnest(p_dids, p_nonces) WITH ORDINALITY AS t (did, nonce, place)
          WHERE t.nonce IS NOT NULL) s
    WHERE s.turn > 1
      OR EXISTS (SELECT FROM "Nonce" n WHERE n.did = s.did AND n.nonce = s.nonce OFFSET 0));

  -- Nobody else can have added one of them meanwhile. If one is there all the same, its key refuses the party.
  INSERT INTO "Nonce" (slot, did, nonce, "expiresAt")
  SELECT nonce_slot(), s.did, s.nonce, s.until
  FROM unnest(p_dids, p_nonces, p_untils) WITH ORDINALITY AS s (did, nonce, until, place)
  WHERE s.nonce IS NOT NULL AND s.place <> ALL (v_used);
  RETURN v_used;
END $function$;

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
  PERFORM FROM "Profile" WHERE id = ANY (v_profiles) ORDER BY id FOR SHARE;

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

CREATE OR REPLACE FUNCTION public.keep_admin_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'admin events are append-only' USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.nonce_lock(p_did text, p_nonce text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT hashtextextended('nonce ' || p_did || ' ' || p_nonce, 0)
$function$;

CREATE OR REPLACE FUNCTION public.nonce_slot()
 RETURNS smallint
 LANGUAGE sql
AS $function$
  SELECT (extract(epoch FROM clock_timestamp())::bigint / 5400 % 4)::smallint
$function$;

CREATE OR REPLACE FUNCTION public.propose_all(p_asked json, p_most integer, p_patience text)
 RETURNS TABLE(place integer, id text, "expiresAt" timestamp with time zone, "isNew" boolean, "roomAt" timestamp with time zone)
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
      LIMIT 1) w))
    AND status = 'pending';

  RETURN QUERY
  WITH asked AS (
    SELECT (a.value->>'place')::integer AS place, a.value->'event' AS event, p.*,
      row_number() OVER (PARTITION BY p."profileId", p."agentDid", p.category, p."contentHash"
                         ORDER BY (a.value->>'place')::integer) AS turn
    FROM json_array_elements(p_asked) a
    CROSS JOIN LATERAL json_populate_record(NULL::"Proposal", a.value) p
    WHERE (a.value->>'place')::integer = ANY (v_held)
  ), weighed AS (
    SELECT a.*, w.pending, w."nextEnd", w.same, w."sameExpiresAt",
      row_number() OVER (PARTITION BY a."profileId", a."agentDid", w.same IS NULL AND a.turn = 1
                         ORDER BY a.place) AS newcomer
    FROM asked a CROSS JOIN LATERAL (
      SELECT count(*) AS pending, min(w."expiresAt") AS "nextEnd",
        min(w.id) FILTER (WHERE w.category = a.category AND w."contentHash" = a."contentHash") AS same,
        min(w."expiresAt") FILTER (WHERE w.category = a.category AND w."contentHash" = a."contentHash")
          AS "sameExpiresAt"
      FROM "Proposal" w
      WHERE w."profileId" = a."profileId" AND w."agentDid" = a."agentDid" AND w.status = 'pending'
        AND w."expiresAt" > a."proposedAt") w
  ), made AS (
    INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence,
      context, "proposedAt", "expiresAt")
    SELECT g.id, g."profileId", g."agentDid", g.content, g."contentHash", g.category, g.confidence,
      g.context, g."proposedAt", g."expiresAt"
    FROM weighed g WHERE g.same IS NULL AND g.turn = 1 AND g.pending + g.newcomer <= p_most
    RETURNING "Proposal".*
  ), settled AS (
    SELECT g.place, g.event, g."nextEnd", m.id = g.id AS "isNew",
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
  SELECT s.place, s.id::text, s."expiresAt", coalesce(s."isNew", false), s."nextEnd" FROM settled s;
END $function$;

-- triggers

CREATE TRIGGER "AccessEvent_append_only" BEFORE DELETE OR UPDATE OF id, "profileId", at, actor, "actorId", verb, outcome, asked, granted, denied, items, reasons, "purposeType", "receiptId", "subjectId", detail, "requestId" ON public."AccessEvent" FOR EACH ROW EXECUTE FUNCTION keep_access_event();

CREATE TRIGGER "AccessEvent_no_truncate" BEFORE TRUNCATE ON public."AccessEvent" FOR EACH STATEMENT EXECUTE FUNCTION keep_access_event();

CREATE TRIGGER "AccessEvent_sealed_once" BEFORE UPDATE OF "position", hash ON public."AccessEvent" FOR EACH ROW WHEN ((old.hash IS NOT NULL)) EXECUTE FUNCTION keep_access_event();

CREATE TRIGGER "AdminEvent_append_only" BEFORE DELETE OR UPDATE ON public."AdminEvent" FOR EACH ROW EXECUTE FUNCTION keep_admin_event();

CREATE TRIGGER "AdminEvent_no_truncate" BEFORE TRUNCATE ON public."AdminEvent" FOR EACH STATEMENT EXECUTE FUNCTION keep_admin_event();
