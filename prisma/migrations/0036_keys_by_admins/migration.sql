-- What is signed with a key that an admin added to somebody else's agent is read as the admin's: each event says so.
ALTER TABLE "Key" ADD COLUMN "addedByAdmin" BOOLEAN NOT NULL DEFAULT false;

UPDATE "Key" k SET "addedByAdmin" = true FROM "Agent" a, "AdminEvent" e
WHERE k.slot IS NOT NULL AND a.did = k.did AND e."subjectId" = k.did AND e.verb = 'addKey'
  AND e.after->>'key' = k.id AND e."adminId" IS DISTINCT FROM a."registeredBy";
