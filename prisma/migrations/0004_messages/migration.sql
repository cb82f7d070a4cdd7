-- Messages to users and agents: what waits to be sent, to whom, and where.

-- CreateEnum
CREATE TYPE "Sink" AS ENUM ('mail', 'mail_now', 'webhook');

-- CreateEnum
CREATE TYPE "DeliveryState" AS ENUM ('waiting', 'done', 'given_up');

-- CreateEnum
CREATE TYPE "DigestEvery" AS ENUM ('never', 'day', 'week');

-- CreateEnum
CREATE TYPE "WebhookState" AS ENUM ('active', 'paused');

-- AlterEnum
ALTER TYPE "LinkPurpose" ADD VALUE 'address';

-- CreateTable
CREATE TABLE "Delivery" (
    "seq" BIGSERIAL NOT NULL,
    "id" VARCHAR(32) NOT NULL,
    "sink" "Sink" NOT NULL,
    "recipient" VARCHAR(254) NOT NULL,
    "kind" VARCHAR(64) NOT NULL,
    "body" JSONB NOT NULL,
    "state" "DeliveryState" NOT NULL DEFAULT 'waiting',
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "lease" UUID,
    "answer" VARCHAR(1024),
    "madeAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Delivery_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "Mailbox" (
    "userId" VARCHAR(32) NOT NULL,
    "requests" BOOLEAN NOT NULL DEFAULT true,
    "agents" BOOLEAN NOT NULL DEFAULT true,
    "digest" "DigestEvery" NOT NULL DEFAULT 'day',
    "hour" SMALLINT NOT NULL DEFAULT 8,
    "weekday" SMALLINT NOT NULL DEFAULT 1,
    "timeZone" VARCHAR(64) NOT NULL DEFAULT 'UTC',
    "digestDueAt" TIMESTAMPTZ(3),
    "contents" BOOLEAN NOT NULL DEFAULT false,
    "mutedAgents" VARCHAR(144)[] DEFAULT ARRAY[]::VARCHAR(144)[],
    "stopKey" BYTEA NOT NULL,
    "confirmedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Mailbox_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "Webhook" (
    "agentDid" VARCHAR(144) NOT NULL,
    "url" VARCHAR(2000) NOT NULL,
    "secret" BYTEA NOT NULL,
    "formerSecret" BYTEA,
    "formerUntil" TIMESTAMPTZ(3),
    "state" "WebhookState" NOT NULL DEFAULT 'active',
    "stateReason" VARCHAR(200),
    "failures" SMALLINT NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3),
    "lease" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("agentDid")
);

-- CreateIndex
CREATE UNIQUE INDEX "Delivery_id_key" ON "Delivery"("id");

-- CreateIndex
CREATE INDEX "Delivery_mail_due_idx" ON "Delivery"("dueAt", "seq") WHERE (state = 'waiting'::"DeliveryState" AND sink <> 'webhook'::"Sink");

-- CreateIndex
CREATE INDEX "Delivery_waiting_idx" ON "Delivery"("recipient", "seq") WHERE (state = 'waiting'::"DeliveryState");

-- CreateIndex
CREATE INDEX "Delivery_recipient_seq_idx" ON "Delivery"("recipient", "seq" DESC);

-- CreateIndex
CREATE INDEX "Delivery_state_seq_idx" ON "Delivery"("state", "seq" DESC);

-- CreateIndex
CREATE INDEX "Delivery_endedAt_idx" ON "Delivery"("endedAt") WHERE ("endedAt" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "Mailbox_stopKey_key" ON "Mailbox"("stopKey");

-- CreateIndex
CREATE INDEX "Mailbox_digestDueAt_idx" ON "Mailbox"("digestDueAt") WHERE ("digestDueAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Webhook_dueAt_idx" ON "Webhook"("dueAt") WHERE ("dueAt" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "Mailbox" ADD CONSTRAINT "Mailbox_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_agentDid_fkey" FOREIGN KEY ("agentDid") REFERENCES "Agent"("did") ON DELETE CASCADE ON UPDATE CASCADE;

-- Bounds that no request may pass.
ALTER TABLE "Delivery"
  ADD CONSTRAINT "Delivery_ended_whole" CHECK ((state = 'waiting') = ("endedAt" IS NULL)),
  ADD CONSTRAINT "Delivery_ended_lease" CHECK (state = 'waiting' OR lease IS NULL),
  ADD CONSTRAINT "Delivery_body_bounded" CHECK (octet_length(body::text) <= 8000);
ALTER TABLE "Mailbox"
  ADD CONSTRAINT "Mailbox_hour_real" CHECK (hour BETWEEN 0 AND 23 AND weekday BETWEEN 1 AND 7),
  ADD CONSTRAINT "Mailbox_stopKey_random" CHECK (octet_length("stopKey") = 16),
  ADD CONSTRAINT "Mailbox_mutedAgents_bounded" CHECK (cardinality("mutedAgents") <= 100);
ALTER TABLE "Webhook"
  ADD CONSTRAINT "Webhook_secrets_random" CHECK (octet_length(secret) = 32 AND octet_length("formerSecret") = 32),
  ADD CONSTRAINT "Webhook_former_whole" CHECK (("formerSecret" IS NULL) = ("formerUntil" IS NULL));
