-- Keys that begin or end to sign, of agents and of profiles.
CREATE OR REPLACE FUNCTION raise_revision_by_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_dids text[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN v_dids := v_dids || ARRAY(SELECT did::text FROM old_rows WHERE slot IS NOT NULL); END IF;
  IF TG_OP <> 'DELETE' THEN v_dids := v_dids || ARRAY(SELECT did::text FROM new_rows WHERE slot IS NOT NULL); END IF;
  UPDATE "Agent" SET revision = revision + 1
  WHERE did IN (SELECT did FROM "Agent" WHERE did = ANY (v_dids) ORDER BY did FOR NO KEY UPDATE);
  UPDATE "Profile" SET revision = revision + 1
  WHERE id IN (SELECT id FROM "Profile" WHERE did = ANY (v_dids) ORDER BY id FOR NO KEY UPDATE);
  RETURN NULL;
END $function$;

CREATE OR REPLACE TRIGGER "Key_revision_insert" AFTER INSERT ON "Key" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_keys();

CREATE OR REPLACE TRIGGER "Key_revision_update" AFTER UPDATE ON "Key" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_keys();

CREATE OR REPLACE TRIGGER "Key_revision_delete" AFTER DELETE ON "Key" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_keys();
