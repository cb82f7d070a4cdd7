-- Memories that agents could read before the change or can after it. The sweep of deleted ones locks no profile.
CREATE OR REPLACE FUNCTION raise_revision_by_memories()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_ids integer[] := '{}';
  v_id integer;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    v_ids := v_ids || ARRAY(SELECT DISTINCT "profileId" FROM old_rows WHERE "archivedAt" IS NULL AND "deletedAt" IS NULL);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    v_ids := v_ids || ARRAY(SELECT DISTINCT "profileId" FROM new_rows WHERE "archivedAt" IS NULL AND "deletedAt" IS NULL);
  END IF;
  FOR v_id IN SELECT DISTINCT id FROM unnest(v_ids) AS id ORDER BY id LOOP
    -- An import, which may take minutes, locks its profile at its end and raises the revision then.
    CONTINUE WHEN current_setting('gateway.importing', true) = v_id::text;
    UPDATE "Profile" SET revision = revision + 1 WHERE id = v_id;
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE TRIGGER "Memory_revision_insert" AFTER INSERT ON "Memory" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_memories();

CREATE OR REPLACE TRIGGER "Memory_revision_update" AFTER UPDATE ON "Memory" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_memories();

CREATE OR REPLACE TRIGGER "Memory_revision_delete" AFTER DELETE ON "Memory" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_revision_by_memories();
