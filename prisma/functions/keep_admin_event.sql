CREATE OR REPLACE FUNCTION keep_admin_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'admin events are append-only' USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE TRIGGER "AdminEvent_append_only" BEFORE DELETE OR UPDATE ON "AdminEvent" FOR EACH ROW EXECUTE FUNCTION keep_admin_event();

CREATE OR REPLACE TRIGGER "AdminEvent_no_truncate" BEFORE TRUNCATE ON "AdminEvent" FOR EACH STATEMENT EXECUTE FUNCTION keep_admin_event();
