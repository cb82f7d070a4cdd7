-- Keys that begin or end to sign, of agents and of profiles.
CREATE OR REPLACE FUNCTION raise_revision_by_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_dids text[] := '{}';
  v_did text;
BEGIN
  IF TG_OP <> 'INSERT' THEN v_dids := v_dids || ARRAY(SELECT did::text FROM old_rows WHERE slot IS NOT NULL); END IF;
  IF TG_OP <> 'DELETE' THEN v_dids := v_dids || ARRAY(SELECT did::text FROM new_rows WHERE slot IS NOT NULL); END IF;
  v_dids := ARRAY(SELECT DISTINCT did FROM unnest(v_dids) AS did ORDER BY did);
  -- Agents before profiles, as everywhere.
  FOREACH v_did IN ARRAY v_dids LOOP
    UPDATE "Agent" SET revision = revision + 1 WHERE did = v_did;
  END LOOP;
  FOREACH v_did IN ARRAY v_dids LOOP
    UPDATE "Profile" SET revision = revision + 1 WHERE did = v_did;
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE TRIGGER "Key_revision_insert" AFTER INSERT ON "Key" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_keys();

CREATE OR REPLACE TRIGGER "Key_revision_update" AFTER UPDATE ON "Key" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_keys();

CREATE OR REPLACE TRIGGER "Key_revision_delete" AFTER DELETE ON "Key" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_keys();
