-- Whose agents these are: counted when one more is registered, and listed for who registered them.
CREATE INDEX "Agent_registeredBy_idx" ON "Agent" ("registeredBy") WHERE ("registeredBy" IS NOT NULL);
