CREATE OR REPLACE FUNCTION keep_access_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP <> 'TRUNCATE' AND current_setting('gateway.erasing', true) = OLD."profileId"::text THEN
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.hash IS NULL
     AND to_jsonb(NEW) - 'position' - 'hash' = to_jsonb(OLD) - 'position' - 'hash' THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND OLD.position <= (
       SELECT (said.detail->>'through')::bigint FROM "AccessEvent" said
       WHERE said.id = current_setting('gateway.retaining', true) AND said."profileId" + 0 = OLD."profileId"
         AND said.verb = 'dropEvents' AND said.actor = 'system') THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'access events are append-only' USING ERRCODE = 'restrict_violation';
END $function$;

CREATE OR REPLACE TRIGGER "AccessEvent_append_only" BEFORE DELETE OR UPDATE OF id, "profileId", at, actor, "actorId", verb, outcome, asked, granted, denied, items, reasons, "purposeType", "receiptId", "subjectId", detail, "requestId" ON "AccessEvent" FOR EACH ROW EXECUTE FUNCTION keep_access_event();

CREATE OR REPLACE TRIGGER "AccessEvent_no_truncate" BEFORE TRUNCATE ON "AccessEvent" FOR EACH STATEMENT EXECUTE FUNCTION keep_access_event();

CREATE OR REPLACE TRIGGER "AccessEvent_sealed_once" BEFORE UPDATE OF "position", hash ON "AccessEvent" FOR EACH ROW WHEN ((old.hash IS NOT NULL)) EXECUTE FUNCTION keep_access_event();
