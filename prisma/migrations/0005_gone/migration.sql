-- What was erased, revoked or narrowed, so that no backup brings it back.

-- CreateTable
CREATE TABLE "Gone" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "kind" VARCHAR(32) NOT NULL,
    "key" BYTEA NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),

    CONSTRAINT "Gone_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Gone_xid_idx" ON "Gone"("xid");

ALTER TABLE "Gone"
  ADD CONSTRAINT "Gone_key_sha256" CHECK (octet_length(key) = 32);
