-- Where a job goes on in its next turn, when its work takes many.
ALTER TABLE "Job" ADD COLUMN "progress" JSONB;
