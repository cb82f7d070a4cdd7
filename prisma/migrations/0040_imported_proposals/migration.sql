-- Whoever imports writes whose proposals they were: they tell an admin nothing about that agent.
ALTER TABLE "Proposal" ADD COLUMN imported BOOLEAN NOT NULL DEFAULT false;

UPDATE "Proposal" p SET imported = true
WHERE EXISTS (SELECT FROM "AccessEvent" e
  WHERE e."profileId" = p."profileId" AND e.verb = 'importProfile' AND e.outcome = 'ok');

DROP INDEX "Proposal_agentDid_status_idx";
CREATE INDEX "Proposal_made_here_idx" ON "Proposal" ("agentDid", status) WHERE NOT imported;
