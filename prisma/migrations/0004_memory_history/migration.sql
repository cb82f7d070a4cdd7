-- A memory whose restoring is taken back is deleted again.
ALTER TABLE "MemoryRevision" ADD COLUMN "deletedAt" TIMESTAMPTZ(3);
