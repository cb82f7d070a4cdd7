-- What admins search for, and what they see of agents.

CREATE TABLE "AgentDay" (
  "did" VARCHAR(144) NOT NULL,
  "day" DATE NOT NULL,
  "requests" INTEGER NOT NULL DEFAULT 0,
  "denied" INTEGER NOT NULL DEFAULT 0,

  CONSTRAINT "AgentDay_pkey" PRIMARY KEY ("did", "day")
);

CREATE INDEX "Proposal_agentDid_status_idx" ON "Proposal" ("agentDid", "status");
CREATE INDEX "Policy_agentPattern_idx" ON "Policy" ("agentPattern");
CREATE INDEX "AdminEvent_adminId_at_id_idx" ON "AdminEvent" ("adminId", "at" DESC, "id" DESC);
CREATE INDEX "AdminEvent_subjectId_at_id_idx" ON "AdminEvent" ("subjectId", "at" DESC, "id" DESC);

-- By any part of a name.
CREATE INDEX "User_search_idx" ON "User" USING GIN (email gin_trgm_ops, name gin_trgm_ops);
CREATE INDEX "Profile_search_idx" ON "Profile" USING GIN (did gin_trgm_ops);
CREATE INDEX "Agent_search_idx" ON "Agent" USING GIN (did gin_trgm_ops, name gin_trgm_ops);

-- Besides what 0001_init allows, sealed events may go when an event of the same log says so first:
-- `SET LOCAL gateway.retaining = '<id of a dropEvents event>'`, through the position that it names.
CREATE OR REPLACE FUNCTION "keepAccessEvent"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'TRUNCATE' AND current_setting('gateway.erasing', true) = OLD."profileId"::text THEN
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.hash IS NULL
     AND to_jsonb(NEW) - 'position' - 'hash' = to_jsonb(OLD) - 'position' - 'hash' THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND OLD.position <= (
       SELECT (said.detail->>'through')::bigint FROM "AccessEvent" said
       WHERE said.id = current_setting('gateway.retaining', true)
         AND said."profileId" = OLD."profileId" AND said.verb = 'dropEvents' AND said.actor = 'system') THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'access events are append-only' USING ERRCODE = 'restrict_violation';
END $$;
