-- What admins did, and what is gone, is added to and never changed.
CREATE OR REPLACE FUNCTION keep_admin_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE TRIGGER "AdminEvent_append_only" BEFORE DELETE OR UPDATE ON "AdminEvent" FOR EACH ROW EXECUTE FUNCTION keep_admin_event();

CREATE OR REPLACE TRIGGER "AdminEvent_no_truncate" BEFORE TRUNCATE ON "AdminEvent" FOR EACH STATEMENT EXECUTE FUNCTION keep_admin_event();

CREATE OR REPLACE TRIGGER "Gone_append_only" BEFORE DELETE OR UPDATE ON "Gone" FOR EACH ROW EXECUTE FUNCTION keep_admin_event();

CREATE OR REPLACE TRIGGER "Gone_no_truncate" BEFORE TRUNCATE ON "Gone" FOR EACH STATEMENT EXECUTE FUNCTION keep_admin_event();
