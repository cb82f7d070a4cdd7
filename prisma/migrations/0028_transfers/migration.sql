-- A profile that an admin wants to hand to another account: it waits for both owners.
CREATE TABLE "Transfer" (
    "profileId" INTEGER NOT NULL,
    "fromUserId" VARCHAR(32) NOT NULL,
    "toUserId" VARCHAR(32) NOT NULL,
    "requestedBy" VARCHAR(32),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "effectiveAt" TIMESTAMPTZ(3) NOT NULL,
    "acceptedByOwnerAt" TIMESTAMPTZ(3),
    "acceptedByNewAt" TIMESTAMPTZ(3),

    CONSTRAINT "Transfer_pkey" PRIMARY KEY ("profileId"),
    CONSTRAINT "Transfer_owners_differ" CHECK ("fromUserId" <> "toUserId")
);

CREATE INDEX "Transfer_fromUserId_idx" ON "Transfer"("fromUserId");
CREATE INDEX "Transfer_toUserId_idx" ON "Transfer"("toUserId");
CREATE INDEX "Transfer_requestedBy_idx" ON "Transfer"("requestedBy");
CREATE INDEX "Transfer_effectiveAt_idx" ON "Transfer"("effectiveAt") WHERE "acceptedByNewAt" IS NOT NULL;

ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_fromUserId_fkey" FOREIGN KEY ("fromUserId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_toUserId_fkey" FOREIGN KEY ("toUserId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Transfer" ADD CONSTRAINT "Transfer_requestedBy_fkey" FOREIGN KEY ("requestedBy") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- When an admin last made a link to a new password, until its user has dismissed the notice.
ALTER TABLE "User" ADD COLUMN "resetLinkMadeAt" TIMESTAMPTZ(3);
