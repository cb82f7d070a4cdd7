-- Clients that connect by an address, and what owners let them do.

-- CreateEnum
CREATE TYPE "SecretKind" AS ENUM ('access', 'refresh');

-- AlterEnum
ALTER TYPE "AgentOrigin" ADD VALUE 'client';

-- AlterTable
ALTER TABLE "ConsentRequest" ADD COLUMN     "tokenId" VARCHAR(32) NOT NULL DEFAULT '';

-- DropIndex
DROP INDEX "ConsentRequest_profileId_agentDid_purposeType_key";

-- CreateIndex
CREATE UNIQUE INDEX "ConsentRequest_profileId_agentDid_purposeType_tokenId_key" ON "ConsentRequest"("profileId", "agentDid", "purposeType", "tokenId") WHERE (status = 'pending'::"ConsentStatus");

-- AlterTable
ALTER TABLE "ConnectionToken" ADD COLUMN     "clientId" VARCHAR(512),
ADD COLUMN     "resource" VARCHAR(255),
ALTER COLUMN "tokenHash" DROP NOT NULL,
ALTER COLUMN "lastFour" DROP NOT NULL;

-- CreateTable
CREATE TABLE "Client" (
    "id" VARCHAR(512) NOT NULL,
    "agentDid" VARCHAR(144) NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "redirectUris" VARCHAR(2000)[] DEFAULT ARRAY[]::VARCHAR(2000)[],
    "documentUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Authorization" (
    "idHash" BYTEA NOT NULL,
    "clientId" VARCHAR(512) NOT NULL,
    "redirectUri" VARCHAR(2000) NOT NULL,
    "state" VARCHAR(2000),
    "challenge" CHAR(43) NOT NULL,
    "issuer" VARCHAR(255) NOT NULL,
    "scopes" VARCHAR(128)[] DEFAULT ARRAY[]::VARCHAR(128)[],
    "proposes" BOOLEAN NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),
    "tokenId" VARCHAR(32),
    "codeHash" BYTEA,
    "codeExpiresAt" TIMESTAMPTZ(3),
    "redeemedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Authorization_pkey" PRIMARY KEY ("idHash")
);

-- CreateTable
CREATE TABLE "ConnectionSecret" (
    "secretHash" BYTEA NOT NULL,
    "tokenId" VARCHAR(32) NOT NULL,
    "kind" "SecretKind" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ConnectionSecret_pkey" PRIMARY KEY ("secretHash")
);

-- CreateIndex
CREATE UNIQUE INDEX "Client_agentDid_key" ON "Client"("agentDid");

-- CreateIndex
CREATE INDEX "Client_lastUsedAt_idx" ON "Client"("lastUsedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Authorization_codeHash_key" ON "Authorization"("codeHash");

-- CreateIndex
CREATE INDEX "Authorization_expiresAt_idx" ON "Authorization"("expiresAt");

-- CreateIndex
CREATE INDEX "Authorization_clientId_idx" ON "Authorization"("clientId");

-- CreateIndex
CREATE INDEX "Authorization_tokenId_idx" ON "Authorization"("tokenId");

-- CreateIndex
CREATE INDEX "ConnectionSecret_tokenId_createdAt_idx" ON "ConnectionSecret"("tokenId", "createdAt");

-- CreateIndex
CREATE INDEX "ConnectionSecret_expiresAt_idx" ON "ConnectionSecret"("expiresAt");

-- CreateIndex
CREATE INDEX "ConnectionToken_clientId_idx" ON "ConnectionToken"("clientId");

-- AddForeignKey
ALTER TABLE "ConnectionToken" ADD CONSTRAINT "ConnectionToken_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "Client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Authorization" ADD CONSTRAINT "Authorization_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ConnectionToken"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ConnectionSecret" ADD CONSTRAINT "ConnectionSecret_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ConnectionToken"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- Bounds that no request may pass.
ALTER TABLE "Authorization"
  ADD CONSTRAINT "Authorization_hashes_sha256" CHECK (octet_length("idHash") = 32 AND octet_length("codeHash") = 32),
  ADD CONSTRAINT "Authorization_scopes_bounded" CHECK (cardinality(scopes) BETWEEN 1 AND 50),
  ADD CONSTRAINT "Authorization_code_whole" CHECK (("codeHash" IS NULL) = ("codeExpiresAt" IS NULL) AND ("codeHash" IS NULL) = ("tokenId" IS NULL)),
  ADD CONSTRAINT "Authorization_code_decided" CHECK ("codeHash" IS NULL OR "decidedAt" IS NOT NULL),
  ADD CONSTRAINT "Authorization_redeemed_code" CHECK ("redeemedAt" IS NULL OR "codeHash" IS NOT NULL);
ALTER TABLE "Client"
  ADD CONSTRAINT "Client_redirectUris_bounded" CHECK (cardinality("redirectUris") BETWEEN 1 AND 10);
ALTER TABLE "ConnectionSecret"
  ADD CONSTRAINT "ConnectionSecret_expires_later" CHECK ("expiresAt" > "createdAt"),
  ADD CONSTRAINT "ConnectionSecret_used_refresh" CHECK ("usedAt" IS NULL OR kind = 'refresh'),
  ADD CONSTRAINT "ConnectionSecret_secretHash_sha256" CHECK (octet_length("secretHash") = 32);
-- A token that was issued has its own secret; what a client connected has those of its tokens.
ALTER TABLE "ConnectionToken"
  ADD CONSTRAINT "ConnectionToken_secret_somewhere" CHECK (
    ("tokenHash" IS NULL) = ("clientId" IS NOT NULL) AND ("clientId" IS NULL) = (resource IS NULL)
    AND ("tokenHash" IS NULL) = ("lastFour" IS NULL));

-- Whether another agent goes by the same name: spaces, marks, capitals and what cannot be seen make no other one.
CREATE INDEX "Agent_namesake_idx" ON "Agent" (lower(regexp_replace(normalize(name, NFKC), '[\s[:punct:]\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]', '', 'g'))) WHERE state = 'active';

-- Connections in force, for those that nobody uses.
CREATE INDEX "ConnectionToken_connected_idx" ON "ConnectionToken" ("createdAt") WHERE ("clientId" IS NOT NULL AND "revokedAt" IS NULL);
