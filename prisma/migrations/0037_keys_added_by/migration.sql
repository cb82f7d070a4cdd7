-- Keys that an admin added end with that admin, so each key says who added it.
ALTER TABLE "Key" ADD COLUMN "addedBy" VARCHAR(32);

UPDATE "Key" k SET "addedBy" = coalesce(
  (SELECT e."adminId" FROM "AdminEvent" e
   WHERE e."subjectId" = k.did AND e.verb = 'addKey' AND e.after->>'key' = k.id LIMIT 1), 'unknown')
WHERE k."addedByAdmin";

ALTER TABLE "Key" DROP COLUMN "addedByAdmin";

CREATE INDEX "Key_addedBy_idx" ON "Key" ("addedBy") WHERE "addedBy" IS NOT NULL;

-- Those of admins who are none any more.
UPDATE "Key" k SET slot = NULL, "revokedAt" = now()
WHERE k.slot IS NOT NULL AND k."addedBy" <> 'unknown'
  AND NOT EXISTS (SELECT FROM "User" u WHERE u.id = k."addedBy" AND u.role = 'admin' AND u.state = 'active');
