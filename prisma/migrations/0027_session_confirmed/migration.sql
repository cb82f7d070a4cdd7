-- What lasts is asked of the person themselves: when they last gave their password, or signed in, in this session.
ALTER TABLE "Session" ADD COLUMN "confirmedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "Session" SET "confirmedAt" = "createdAt";
