-- Rules, receipts and named values that begin, change or end.
CREATE OR REPLACE FUNCTION raise_revision_of_profiles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_ids integer[] := '{}';
  v_id integer;
BEGIN
  IF TG_OP <> 'INSERT' THEN v_ids := ARRAY(SELECT DISTINCT "profileId" FROM old_rows); END IF;
  IF TG_OP <> 'DELETE' THEN v_ids := v_ids || ARRAY(SELECT DISTINCT "profileId" FROM new_rows); END IF;
  -- One by one, each by its key: in order, so that no two wait for each other.
  FOR v_id IN SELECT DISTINCT id FROM unnest(v_ids) AS id ORDER BY id LOOP
    -- An import, which may take minutes, locks its profile at its end and raises the revision then.
    CONTINUE WHEN current_setting('gateway.importing', true) = v_id::text;
    UPDATE "Profile" SET revision = revision + 1 WHERE id = v_id;
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE TRIGGER "Policy_revision_insert" AFTER INSERT ON "Policy" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE OR REPLACE TRIGGER "Policy_revision_update" AFTER UPDATE ON "Policy" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE OR REPLACE TRIGGER "Policy_revision_delete" AFTER DELETE ON "Policy" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE OR REPLACE TRIGGER "Receipt_revision_insert" AFTER INSERT ON "Receipt" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE OR REPLACE TRIGGER "Receipt_revision_update" AFTER UPDATE ON "Receipt" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE OR REPLACE TRIGGER "Receipt_revision_delete" AFTER DELETE ON "Receipt" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE OR REPLACE TRIGGER "NamedValue_revision_insert" AFTER INSERT ON "NamedValue" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE OR REPLACE TRIGGER "NamedValue_revision_update" AFTER UPDATE ON "NamedValue" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();

CREATE OR REPLACE TRIGGER "NamedValue_revision_delete" AFTER DELETE ON "NamedValue" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_of_profiles();
