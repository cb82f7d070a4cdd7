-- Refuses every change of tables that are append-only whatever is erased, with the message that the trigger names.
CREATE OR REPLACE FUNCTION keep_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE TRIGGER "AdminEvent_append_only" BEFORE DELETE OR UPDATE ON "AdminEvent" FOR EACH ROW EXECUTE FUNCTION keep_row('admin events are append-only');

CREATE OR REPLACE TRIGGER "AdminEvent_no_truncate" BEFORE TRUNCATE ON "AdminEvent" FOR EACH STATEMENT EXECUTE FUNCTION keep_row('admin events are append-only');

CREATE OR REPLACE TRIGGER "Gone_append_only" BEFORE DELETE OR UPDATE ON "Gone" FOR EACH ROW EXECUTE FUNCTION keep_row('the list of what is gone is append-only');

CREATE OR REPLACE TRIGGER "Gone_no_truncate" BEFORE TRUNCATE ON "Gone" FOR EACH STATEMENT EXECUTE FUNCTION keep_row('the list of what is gone is append-only');

-- Its name when it kept admin events only.
DROP FUNCTION IF EXISTS keep_admin_event();
