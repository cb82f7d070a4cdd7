-- An export walks all memories of a profile, archived and deleted ones too; an erasure finds them.
CREATE INDEX "Memory_profileId_id_idx" ON "Memory"("profileId", "id");
