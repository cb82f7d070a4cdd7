-- Notes in "Gone" what a restored backup must not bring back, or that it may again: a kind, and the SHA-256 of the one
-- to three columns that identify the row. A note has no name in it, because it outlives the row.
CREATE OR REPLACE FUNCTION note_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO "Gone" (kind, key)
  SELECT TG_ARGV[0], sha256(convert_to(concat_ws(E'\n',
    changed ->> TG_ARGV[1], changed ->> TG_ARGV[2], changed ->> TG_ARGV[3]), 'UTF8'))
  FROM (SELECT CASE TG_OP WHEN 'INSERT' THEN to_jsonb(NEW) ELSE to_jsonb(OLD) END) row (changed);
  RETURN NULL;
END $function$;

-- Rows that go with their account, agent or profile need no note: a cascade has a depth above 0.

CREATE OR REPLACE TRIGGER "User_gone" AFTER DELETE ON "User" FOR EACH ROW
  EXECUTE FUNCTION note_gone('account.erased', 'id');

CREATE OR REPLACE TRIGGER "User_gone_suspended" AFTER UPDATE OF state ON "User" FOR EACH ROW
  WHEN (old.state <> new.state AND new.state = 'suspended') EXECUTE FUNCTION note_gone('account.suspended', 'id');

CREATE OR REPLACE TRIGGER "User_gone_resumed" AFTER UPDATE OF state ON "User" FOR EACH ROW
  WHEN (old.state <> new.state AND old.state = 'suspended') EXECUTE FUNCTION note_gone('account.restored', 'id');

CREATE OR REPLACE TRIGGER "User_gone_demoted" AFTER UPDATE OF role ON "User" FOR EACH ROW
  WHEN (old.role <> new.role AND old.role = 'admin') EXECUTE FUNCTION note_gone('admin.removed', 'id');

CREATE OR REPLACE TRIGGER "User_gone_promoted" AFTER UPDATE OF role ON "User" FOR EACH ROW
  WHEN (old.role <> new.role AND new.role = 'admin') EXECUTE FUNCTION note_gone('admin.restored', 'id');

-- The same password at a new cost has not changed.
CREATE OR REPLACE TRIGGER "User_gone_password" AFTER UPDATE OF "passwordHash" ON "User" FOR EACH ROW
  WHEN (old."passwordHash" IS NOT NULL AND old."passwordHash" IS DISTINCT FROM new."passwordHash"
    AND current_setting('gateway.rehashing', true) IS DISTINCT FROM old.id)
  EXECUTE FUNCTION note_gone('password.changed', 'id');

CREATE OR REPLACE TRIGGER "User_gone_address" AFTER UPDATE OF email ON "User" FOR EACH ROW
  WHEN (old.email <> new.email) EXECUTE FUNCTION note_gone('address.changed', 'id');

CREATE OR REPLACE TRIGGER "Account_gone" AFTER DELETE ON "Account" FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION note_gone('provider.unlinked', 'provider', 'providerAccountId');

CREATE OR REPLACE TRIGGER "Profile_gone" AFTER DELETE ON "Profile" FOR EACH ROW
  EXECUTE FUNCTION note_gone('profile.erased', 'did');

CREATE OR REPLACE TRIGGER "Profile_gone_suspended" AFTER UPDATE OF state ON "Profile" FOR EACH ROW
  WHEN (old.state <> new.state AND new.state = 'suspended') EXECUTE FUNCTION note_gone('profile.suspended', 'did');

CREATE OR REPLACE TRIGGER "Profile_gone_resumed" AFTER UPDATE OF state ON "Profile" FOR EACH ROW
  WHEN (old.state <> new.state AND old.state = 'suspended') EXECUTE FUNCTION note_gone('profile.restored', 'did');

CREATE OR REPLACE TRIGGER "Profile_gone_transferred" AFTER UPDATE OF "ownerId" ON "Profile" FOR EACH ROW
  WHEN (old."ownerId" <> new."ownerId") EXECUTE FUNCTION note_gone('profile.transferred', 'did');

CREATE OR REPLACE TRIGGER "Memory_gone" AFTER UPDATE OF "deletedAt" ON "Memory" FOR EACH ROW
  WHEN (old."deletedAt" IS NULL AND new."deletedAt" IS NOT NULL) EXECUTE FUNCTION note_gone('memory.deleted', 'id');

CREATE OR REPLACE TRIGGER "Memory_gone_restored" AFTER UPDATE OF "deletedAt" ON "Memory" FOR EACH ROW
  WHEN (old."deletedAt" IS NOT NULL AND new."deletedAt" IS NULL) EXECUTE FUNCTION note_gone('memory.restored', 'id');

-- When the approval of its proposal is undone. What the sweep deletes was noted before.
CREATE OR REPLACE TRIGGER "Memory_gone_row" AFTER DELETE ON "Memory" FOR EACH ROW
  WHEN (old."deletedAt" IS NULL AND pg_trigger_depth() = 0
    AND current_setting('gateway.erasing', true) IS DISTINCT FROM old."profileId"::text)
  EXECUTE FUNCTION note_gone('memory.deleted', 'id');

CREATE OR REPLACE TRIGGER "NamedValue_gone" AFTER DELETE ON "NamedValue" FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('gateway.erasing', true) IS DISTINCT FROM old."profileId"::text)
  EXECUTE FUNCTION note_gone('value.removed', 'profileId', 'category', 'name');

CREATE OR REPLACE TRIGGER "Receipt_gone" AFTER UPDATE OF "revokedAt" ON "Receipt" FOR EACH ROW
  WHEN (old."revokedAt" IS NULL AND new."revokedAt" IS NOT NULL) EXECUTE FUNCTION note_gone('receipt.revoked', 'id');

CREATE OR REPLACE TRIGGER "Receipt_gone_restored" AFTER UPDATE OF "revokedAt" ON "Receipt" FOR EACH ROW
  WHEN (old."revokedAt" IS NOT NULL AND new."revokedAt" IS NULL) EXECUTE FUNCTION note_gone('receipt.restored', 'id');

CREATE OR REPLACE TRIGGER "ConnectionToken_gone" AFTER UPDATE OF "revokedAt" ON "ConnectionToken" FOR EACH ROW
  WHEN (old."revokedAt" IS NULL AND new."revokedAt" IS NOT NULL) EXECUTE FUNCTION note_gone('token.revoked', 'id');

CREATE OR REPLACE TRIGGER "ConnectionToken_gone_restored" AFTER UPDATE OF "revokedAt" ON "ConnectionToken" FOR EACH ROW
  WHEN (old."revokedAt" IS NOT NULL AND new."revokedAt" IS NULL) EXECUTE FUNCTION note_gone('token.restored', 'id');

CREATE OR REPLACE TRIGGER "Key_gone" AFTER UPDATE OF "revokedAt" ON "Key" FOR EACH ROW
  WHEN (old."revokedAt" IS NULL AND new."revokedAt" IS NOT NULL) EXECUTE FUNCTION note_gone('key.revoked', 'id');

CREATE OR REPLACE TRIGGER "Policy_gone" AFTER UPDATE ON "Policy" FOR EACH ROW
  WHEN ((old."agentPattern", old."verifiedOnly", old.allow, old.deny, old.permissions, old.purposes, old."maxRetention",
      old."receiptSeconds", old.enabled, old."expiresAt")
    IS DISTINCT FROM (new."agentPattern", new."verifiedOnly", new.allow, new.deny, new.permissions, new.purposes,
      new."maxRetention", new."receiptSeconds", new.enabled, new."expiresAt"))
  EXECUTE FUNCTION note_gone('policy.changed', 'id');

CREATE OR REPLACE TRIGGER "Policy_gone_row" AFTER DELETE ON "Policy" FOR EACH ROW
  WHEN (pg_trigger_depth() = 0 AND current_setting('gateway.erasing', true) IS DISTINCT FROM old."profileId"::text)
  EXECUTE FUNCTION note_gone('policy.changed', 'id');

-- A new denial narrows every rule of its profile, and no backup has it.
CREATE OR REPLACE TRIGGER "Policy_gone_denied" AFTER INSERT ON "Policy" FOR EACH ROW
  WHEN (new.enabled AND cardinality(new.deny) > 0) EXECUTE FUNCTION note_gone('policy.denied', 'profileId');

CREATE OR REPLACE TRIGGER "Policy_gone_denies" AFTER UPDATE ON "Policy" FOR EACH ROW
  WHEN (new.enabled AND cardinality(new.deny) > 0
    AND (old.enabled, old.deny, old."agentPattern", old."verifiedOnly", old.permissions, old."expiresAt")
      IS DISTINCT FROM (new.enabled, new.deny, new."agentPattern", new."verifiedOnly", new.permissions, new."expiresAt"))
  EXECUTE FUNCTION note_gone('policy.denied', 'profileId');

-- The DID of an agent that was never approved may be registered again.
CREATE OR REPLACE TRIGGER "Agent_gone" AFTER DELETE ON "Agent" FOR EACH ROW
  WHEN (old.state <> 'pending') EXECUTE FUNCTION note_gone('agent.deleted', 'did');

CREATE OR REPLACE TRIGGER "Agent_gone_pending" AFTER DELETE ON "Agent" FOR EACH ROW
  WHEN (old.state = 'pending') EXECUTE FUNCTION note_gone('agent.withdrawn', 'did');

CREATE OR REPLACE TRIGGER "Agent_gone_suspended" AFTER UPDATE OF state ON "Agent" FOR EACH ROW
  WHEN (old.state <> new.state AND new.state = 'suspended') EXECUTE FUNCTION note_gone('agent.suspended', 'did');

CREATE OR REPLACE TRIGGER "Agent_gone_resumed" AFTER UPDATE OF state ON "Agent" FOR EACH ROW
  WHEN (old.state <> new.state AND old.state = 'suspended') EXECUTE FUNCTION note_gone('agent.restored', 'did');

CREATE OR REPLACE TRIGGER "Agent_gone_narrowed" AFTER UPDATE OF verified, ceiling ON "Agent" FOR EACH ROW
  WHEN ((old.verified AND NOT new.verified) OR old.ceiling <> new.ceiling) EXECUTE FUNCTION note_gone('agent.narrowed', 'did');

CREATE OR REPLACE TRIGGER "Mailbox_gone" AFTER UPDATE ON "Mailbox" FOR EACH ROW
  WHEN ((old.requests AND NOT new.requests) OR (old.agents AND NOT new.agents)
    OR (old.digest <> 'never' AND new.digest = 'never') OR (old.contents AND NOT new.contents) OR NOT (old."mutedAgents" @> new."mutedAgents"))
  EXECUTE FUNCTION note_gone('mail.stopped', 'userId');

CREATE OR REPLACE TRIGGER "Mailbox_gone_row" AFTER DELETE ON "Mailbox" FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION note_gone('mail.stopped', 'userId');

CREATE OR REPLACE TRIGGER "Webhook_gone" AFTER DELETE ON "Webhook" FOR EACH ROW
  WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION note_gone('webhook.removed', 'agentDid');

CREATE OR REPLACE TRIGGER "Webhook_gone_moved" AFTER UPDATE OF url ON "Webhook" FOR EACH ROW
  WHEN (old.url <> new.url) EXECUTE FUNCTION note_gone('webhook.removed', 'agentDid');

CREATE OR REPLACE TRIGGER "ApproveRule_gone" AFTER UPDATE OF "endedAt" ON "ApproveRule" FOR EACH ROW
  WHEN (old."endedAt" IS NULL AND new."endedAt" IS NOT NULL) EXECUTE FUNCTION note_gone('approving.ended', 'id');

CREATE OR REPLACE TRIGGER "Reviewer_gone" AFTER UPDATE OF "endedAt" ON "Reviewer" FOR EACH ROW
  WHEN (old."endedAt" IS NULL AND new."endedAt" IS NOT NULL) EXECUTE FUNCTION note_gone('reviewing.ended', 'id');

-- Notes in "Gone" which values of the common members a profile has no more: a value in a member, or a member without names.
CREATE OR REPLACE FUNCTION note_removed_values()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO "Gone" (kind, key)
  SELECT 'value.removed', sha256(convert_to(concat_ws(E'\n', OLD.id, m.key, n.key), 'UTF8'))
  FROM jsonb_each(OLD.common) m
  LEFT JOIN LATERAL jsonb_object_keys(CASE jsonb_typeof(m.value) WHEN 'object' THEN m.value ELSE '{}' END) n (key) ON true
  WHERE NEW.common #> array_remove(ARRAY[m.key, n.key], NULL) IS NULL;
  RETURN NULL;
END $function$;

CREATE OR REPLACE TRIGGER "Profile_gone_values" AFTER UPDATE OF common ON "Profile" FOR EACH ROW
  WHEN (old.common IS DISTINCT FROM new.common) EXECUTE FUNCTION note_removed_values();
