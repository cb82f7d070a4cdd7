-- What is remembered of a profile or an agent is remembered under its revision: every change of what its requests
-- are decided or answered by raises it, in the same transaction.
CREATE OR REPLACE FUNCTION raise_own_revision()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $function$;

CREATE OR REPLACE TRIGGER "Profile_revision" BEFORE UPDATE ON "Profile" FOR EACH ROW
  WHEN ((old."ownerId", old."profileType", old.version, old.state, old.common)
    IS DISTINCT FROM (new."ownerId", new."profileType", new.version, new.state, new.common))
  EXECUTE FUNCTION raise_own_revision();

CREATE OR REPLACE TRIGGER "Agent_revision" BEFORE UPDATE ON "Agent" FOR EACH ROW
  WHEN ((old.state, old.verified, old.ceiling, old.limits)
    IS DISTINCT FROM (new.state, new.verified, new.ceiling, new.limits))
  EXECUTE FUNCTION raise_own_revision();
