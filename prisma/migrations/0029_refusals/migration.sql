-- Until when the scopes that the owner left out of an answer count as refused; null where nothing was left out,
-- or the answer was undone.
ALTER TABLE "ConsentRequest" ADD COLUMN "refusedUntil" TIMESTAMPTZ(3);
CREATE INDEX "ConsentRequest_refused_idx" ON "ConsentRequest"("profileId", "agentDid", "purposeType", "refusedUntil")
  WHERE ("refusedUntil" IS NOT NULL);
