-- An account that is suspended or resumed, whose profiles' own keys sign with it.
CREATE OR REPLACE FUNCTION raise_revision_by_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE "Profile" SET revision = revision + 1
  WHERE id IN (SELECT id FROM "Profile" WHERE "ownerId" = NEW.id ORDER BY id FOR NO KEY UPDATE);
  RETURN NULL;
END $function$;

CREATE OR REPLACE TRIGGER "User_revision" AFTER UPDATE OF state ON "User" FOR EACH ROW
  WHEN (old.state IS DISTINCT FROM new.state) EXECUTE FUNCTION raise_revision_by_users();
