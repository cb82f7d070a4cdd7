-- How often a job has failed since it last succeeded.
ALTER TABLE "Job" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0;
