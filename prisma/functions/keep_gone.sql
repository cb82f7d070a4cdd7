CREATE OR REPLACE FUNCTION keep_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'what is gone is append-only' USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE TRIGGER "Gone_append_only" BEFORE DELETE OR UPDATE ON "Gone" FOR EACH ROW EXECUTE FUNCTION keep_gone();

CREATE OR REPLACE TRIGGER "Gone_no_truncate" BEFORE TRUNCATE ON "Gone" FOR EACH STATEMENT EXECUTE FUNCTION keep_gone();
