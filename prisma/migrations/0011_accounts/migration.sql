-- Admin events name people and profiles by ids that tell nothing once their account is gone.

-- The id that an invited account will have stands for its address.
ALTER TABLE "OneTimeLink" ADD COLUMN "userId" VARCHAR(32);
UPDATE "OneTimeLink" SET "userId" = 'usr_' || substr(md5("tokenHash"::text), 1, 22)
  WHERE purpose = 'invitation' AND "usedAt" IS NULL;
CREATE UNIQUE INDEX "OneTimeLink_userId_key" ON "OneTimeLink" ("userId");

-- What was written under an address or a DID until now.
ALTER TABLE "AdminEvent" DISABLE TRIGGER "AdminEvent_append_only";
UPDATE "AdminEvent" e SET "subjectId" = coalesce(
    (SELECT u.id FROM "User" u WHERE u.email = e."subjectId"),
    (SELECT l."userId" FROM "OneTimeLink" l WHERE l.email = e."subjectId" AND l."userId" IS NOT NULL LIMIT 1))
  WHERE e.verb = 'inviteUser';
UPDATE "AdminEvent" e SET "subjectId" = coalesce(
    (SELECT 'profile:' || p.id FROM "Profile" p WHERE p.did = e."subjectId"),
    'sha256:' || encode(sha256(convert_to(e."subjectId", 'UTF8')), 'hex'))
  WHERE e."subjectId" LIKE 'did:prof:user:%';
ALTER TABLE "AdminEvent" ENABLE TRIGGER "AdminEvent_append_only";

-- One sign-in of a kind for each account. A second one could be seen nowhere, so it is the one that goes.
DELETE FROM "Account" later USING "Account" first
  WHERE later."userId" = first."userId" AND later.provider = first.provider
    AND (later."createdAt", later."providerAccountId") > (first."createdAt", first."providerAccountId");
DROP INDEX "Account_userId_idx";
CREATE UNIQUE INDEX "Account_userId_provider_key" ON "Account" ("userId", "provider");
