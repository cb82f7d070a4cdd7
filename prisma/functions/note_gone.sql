-- What is erased, revoked or narrowed is noted in the same transaction, by whatever statement: a restored backup must not
-- bring it back. The key is the hash of an id, so that nothing in it names anybody.
CREATE OR REPLACE FUNCTION note_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO "Gone" (kind, key)
  VALUES (TG_ARGV[0], sha256(convert_to(to_jsonb(OLD) ->> TG_ARGV[1], 'UTF8')));
  RETURN NULL;
END $function$;

CREATE OR REPLACE TRIGGER "User_gone" AFTER DELETE ON "User" FOR EACH ROW
  EXECUTE FUNCTION note_gone('account.erased', 'id');
CREATE OR REPLACE TRIGGER "User_gone_password" AFTER UPDATE OF "passwordHash" ON "User" FOR EACH ROW
  WHEN (old."passwordHash" IS DISTINCT FROM new."passwordHash")
  EXECUTE FUNCTION note_gone('password.changed', 'id');
CREATE OR REPLACE TRIGGER "User_gone_address" AFTER UPDATE OF email ON "User" FOR EACH ROW
  WHEN (old.email <> new.email)
  EXECUTE FUNCTION note_gone('address.changed', 'id');
CREATE OR REPLACE TRIGGER "User_gone_admin" AFTER UPDATE OF role ON "User" FOR EACH ROW
  WHEN (old.role = 'admin' AND new.role <> 'admin')
  EXECUTE FUNCTION note_gone('admin.removed', 'id');
CREATE OR REPLACE TRIGGER "User_gone_state" AFTER UPDATE OF state ON "User" FOR EACH ROW
  WHEN (old.state = 'active' AND new.state <> 'active')
  EXECUTE FUNCTION note_gone('user.suspended', 'id');

CREATE OR REPLACE TRIGGER "Account_gone" AFTER DELETE ON "Account" FOR EACH ROW
  EXECUTE FUNCTION note_gone('sign-in.unlinked', 'userId');
CREATE OR REPLACE TRIGGER "Mailbox_gone" AFTER UPDATE ON "Mailbox" FOR EACH ROW
  WHEN ((old.requests AND NOT new.requests) OR (old.agents AND NOT new.agents)
    OR (old.digest <> 'never' AND new.digest = 'never') OR NOT new."mutedAgents" <@ old."mutedAgents")
  EXECUTE FUNCTION note_gone('mail.stopped', 'userId');

CREATE OR REPLACE TRIGGER "Profile_gone" AFTER DELETE ON "Profile" FOR EACH ROW
  EXECUTE FUNCTION note_gone('profile.erased', 'id');
CREATE OR REPLACE TRIGGER "Profile_gone_owner" AFTER UPDATE OF "ownerId" ON "Profile" FOR EACH ROW
  WHEN (old."ownerId" <> new."ownerId")
  EXECUTE FUNCTION note_gone('profile.transferred', 'id');
CREATE OR REPLACE TRIGGER "Profile_gone_state" AFTER UPDATE OF state ON "Profile" FOR EACH ROW
  WHEN (old.state = 'active' AND new.state <> 'active')
  EXECUTE FUNCTION note_gone('profile.suspended', 'id');

-- A memory that its owner has brought back again since is not gone.
CREATE OR REPLACE TRIGGER "Memory_gone" AFTER UPDATE OF "deletedAt" ON "Memory" FOR EACH ROW
  WHEN (old."deletedAt" IS NULL AND new."deletedAt" IS NOT NULL)
  EXECUTE FUNCTION note_gone('memory.deleted', 'id');
CREATE OR REPLACE TRIGGER "Memory_back" AFTER UPDATE OF "deletedAt" ON "Memory" FOR EACH ROW
  WHEN (old."deletedAt" IS NOT NULL AND new."deletedAt" IS NULL)
  EXECUTE FUNCTION note_gone('memory.restored', 'id');

CREATE OR REPLACE TRIGGER "Receipt_gone" AFTER UPDATE OF "revokedAt" ON "Receipt" FOR EACH ROW
  WHEN (old."revokedAt" IS NULL AND new."revokedAt" IS NOT NULL)
  EXECUTE FUNCTION note_gone('receipt.revoked', 'id');
CREATE OR REPLACE TRIGGER "ConnectionToken_gone" AFTER UPDATE OF "revokedAt" ON "ConnectionToken" FOR EACH ROW
  WHEN (old."revokedAt" IS NULL AND new."revokedAt" IS NOT NULL)
  EXECUTE FUNCTION note_gone('token.revoked', 'id');
CREATE OR REPLACE TRIGGER "Key_gone" AFTER UPDATE OF slot ON "Key" FOR EACH ROW
  WHEN (old.slot IS NOT NULL AND new.slot IS NULL)
  EXECUTE FUNCTION note_gone('key.revoked', 'id');

-- Any change of what a rule gives: whether it is narrower is not for the database to say.
CREATE OR REPLACE TRIGGER "Policy_gone" AFTER UPDATE ON "Policy" FOR EACH ROW
  WHEN ((old."agentPattern", old."verifiedOnly", old.allow, old.deny, old.permissions, old.purposes,
      old."maxRetention", old."receiptSeconds", old.enabled, old."expiresAt")
    IS DISTINCT FROM (new."agentPattern", new."verifiedOnly", new.allow, new.deny, new.permissions, new.purposes,
      new."maxRetention", new."receiptSeconds", new.enabled, new."expiresAt"))
  EXECUTE FUNCTION note_gone('policy.changed', 'id');
CREATE OR REPLACE TRIGGER "Policy_gone_whole" AFTER DELETE ON "Policy" FOR EACH ROW
  EXECUTE FUNCTION note_gone('policy.changed', 'id');

CREATE OR REPLACE TRIGGER "Agent_gone" AFTER DELETE ON "Agent" FOR EACH ROW
  EXECUTE FUNCTION note_gone('agent.deleted', 'did');
CREATE OR REPLACE TRIGGER "Agent_gone_state" AFTER UPDATE OF state ON "Agent" FOR EACH ROW
  WHEN (old.state = 'active' AND new.state <> 'active')
  EXECUTE FUNCTION note_gone('agent.suspended', 'did');
CREATE OR REPLACE TRIGGER "Agent_gone_reach" AFTER UPDATE OF verified, ceiling, limits ON "Agent" FOR EACH ROW
  WHEN ((old.verified, old.ceiling, old.limits) IS DISTINCT FROM (new.verified, new.ceiling, new.limits))
  EXECUTE FUNCTION note_gone('agent.changed', 'did');
CREATE OR REPLACE TRIGGER "Webhook_gone" AFTER DELETE ON "Webhook" FOR EACH ROW
  EXECUTE FUNCTION note_gone('webhook.removed', 'agentDid');
