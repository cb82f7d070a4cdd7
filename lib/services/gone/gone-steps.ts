import { inTransaction, type Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { ProfileFact } from "@/lib/rules/may";
import { record, recordAdmin } from "../audit/record";
import { recordForOwner } from "../audit/record-for-owner";
import type { Ctx } from "../context";
import { keepDenied, switchOff } from "../policies/own-rules";
import { forgetDeliveries } from "../webhooks/enqueue";
import { type Pausing, pauseWebhooksOf } from "../webhooks/pause";
import { eraseAccounts, eraseProfiles, holdTransferred } from "./erase-again";
import { allValues, removeValues } from "./remove-values";

/** What applies one kind of entry to the rows that it is about. */
export interface Step {
  /** Selects the ids of all rows that entries of this kind may be about, as note_gone.sql hashes them. */
  all: Prisma.Sql;
  /** Changes some of them, and returns how many. Changes nothing the second time. */
  apply(ctx: Ctx, ids: string[]): Promise<number>;
}

const users = Prisma.sql`SELECT id FROM "User"`;
const profiles = Prisma.sql`SELECT did AS id FROM "Profile"`;
const agents = Prisma.sql`SELECT did AS id FROM "Agent"`;

/** By kind, in the order in which they are applied: a transferred profile survives the account that it left. */
export const steps: Readonly<Record<string, Step>> = {
  "profile.erased": { all: profiles, apply: eraseProfiles },
  "profile.transferred": { all: profiles, apply: holdTransferred },
  "account.erased": { all: users, apply: eraseAccounts },
  "agent.deleted": { all: agents, apply: deleteAgents },
  "agent.withdrawn": { all: agents, apply: deleteAgents },
  "agent.suspended": { all: agents, apply: suspendAgents },
  "agent.narrowed": { all: agents, apply: suspendAgents },
  "memory.deleted": { all: Prisma.sql`SELECT id FROM "Memory"`, apply: deleteMemories },
  "value.removed": { all: allValues, apply: removeValues },
  "receipt.revoked": {
    all: Prisma.sql`SELECT id FROM "Receipt"`,
    apply: ({ db, now }, ids) =>
      counted(
        db.receipt.updateMany({
          where: { id: { in: ids }, revokedAt: null },
          data: { revokedAt: now },
        }),
      ),
  },
  "token.revoked": {
    all: Prisma.sql`SELECT id FROM "ConnectionToken"`,
    apply: ({ db, now }, ids) =>
      counted(
        db.connectionToken.updateMany({
          where: { id: { in: ids }, revokedAt: null },
          data: { revokedAt: now },
        }),
      ),
  },
  "key.revoked": {
    all: Prisma.sql`SELECT id FROM "Key"`,
    apply: ({ db, now }, ids) =>
      counted(
        db.key.updateMany({
          where: { id: { in: ids }, revokedAt: null },
          data: { slot: null, revokedAt: now },
        }),
      ),
  },
  "policy.changed": {
    all: Prisma.sql`SELECT id FROM "Policy"`,
    apply: (ctx, ids) => closePolicies(ctx, { id: { in: ids } }),
  },
  "policy.denied": {
    all: Prisma.sql`SELECT id::text FROM "Profile"`,
    apply: (ctx, ids) => closePolicies(ctx, { profileId: { in: ids.map(Number) } }),
  },
  "approving.ended": {
    all: Prisma.sql`SELECT id FROM "ApproveRule"`,
    apply: ({ db, now }, ids) =>
      db.$executeRaw`UPDATE "ApproveRule" SET "endedAt" = ${now} WHERE id = ANY(${ids}::text[]) AND "endedAt" IS NULL`,
  },
  "reviewing.ended": {
    all: Prisma.sql`SELECT id FROM "Reviewer"`,
    apply: ({ db, now }, ids) =>
      db.$executeRaw`UPDATE "Reviewer" SET "endedAt" = ${now} WHERE id = ANY(${ids}::text[]) AND "endedAt" IS NULL`,
  },
  "profile.suspended": {
    all: profiles,
    apply: ({ db, now }, dids) =>
      counted(
        db.profile.updateMany({
          where: { did: { in: dids }, state: "active" },
          data: { state: "suspended", updatedAt: now },
        }),
      ),
  },
  "account.suspended": { all: users, apply: suspendAccounts },
  "admin.removed": { all: users, apply: endAdmins },
  "password.changed": { all: users, apply: endPasswords },
  "address.changed": { all: users, apply: lockAccounts },
  "provider.unlinked": {
    all: Prisma.sql`SELECT provider || E'\n' || "providerAccountId" AS id FROM "Account"`,
    apply: ({ db }, ids) =>
      db.$executeRaw`DELETE FROM "Account" WHERE provider || E'\n' || "providerAccountId" = ANY(${ids}::text[])`,
  },
  "mail.stopped": { all: Prisma.sql`SELECT "userId" AS id FROM "Mailbox"`, apply: stopMail },
  "webhook.removed": {
    all: Prisma.sql`SELECT "agentDid" AS id FROM "Webhook"`,
    apply: removeWebhooks,
  },
};

async function counted(change: Promise<{ count: number }>): Promise<number> {
  return (await change).count;
}

function deleteAgents({ db }: Ctx, dids: string[]): Promise<number> {
  return inTransaction(db, async (tx) => {
    const these = { where: { did: { in: dids } } };
    const deleted = await tx.agent.deleteMany(these);
    await tx.key.deleteMany(these);
    await forgetDeliveries(tx, dids);
    return deleted.count;
  });
}

function removeWebhooks({ db }: Ctx, dids: string[]): Promise<number> {
  return inTransaction(db, async (tx) => {
    await forgetDeliveries(tx, dids);
    return counted(tx.webhook.deleteMany({ where: { agentDid: { in: dids } } }));
  });
}

const suspendedSince = "Suspended or changed after the backup that was restored.";

// A former state is not known, and may have been narrower than that of the backup.
function suspendAgents({ db, now }: Ctx, dids: string[]): Promise<number> {
  return counted(
    db.agent.updateMany({
      where: { did: { in: dids }, state: { not: "suspended" } },
      data: { state: "suspended", stateReason: suspendedSince, updatedAt: now },
    }),
  );
}

/** Deletes them as their owner does: they can be restored for a while. */
function deleteMemories({ db, now }: Ctx, ids: string[]): Promise<number> {
  return db.$executeRaw`
    WITH deleted AS (
      UPDATE "Memory" SET "deletedAt" = ${now}, "updatedAt" = greatest(${now}::timestamptz, "updatedAt" + interval '1 millisecond')
      WHERE id = ANY(${ids}::text[]) AND "deletedAt" IS NULL RETURNING *)
    INSERT INTO "MemoryRevision" ("memoryId", category, content, confidence, cause, "archivedAt", "createdAt")
    SELECT id, category, content, confidence, 'deleted', "archivedAt", "updatedAt" FROM deleted`;
}

/** Switches off rules that open something, and keeps what they deny. Rules that only deny stay as they are. */
async function closePolicies(ctx: Ctx, which: Prisma.PolicyWhereInput): Promise<number> {
  const { db, now } = ctx;
  const opening = { ...which, enabled: true, NOT: { allow: { isEmpty: true } } };
  const found = await db.policy.groupBy({ by: ["profileId"], where: opening });
  let count = 0;
  for (const { profileId } of found) {
    count += await inTransaction(db, async (tx) => {
      const [profile] = await tx.$queryRaw<(ProfileFact & { id: number })[]>`
        SELECT id, did, "ownerId", state FROM "Profile" WHERE id = ${profileId} FOR NO KEY UPDATE`;
      if (profile === undefined) return 0;
      const rules = await switchOff(tx, { AND: [opening, { profileId }], now });
      await keepDenied(tx, { profileId, now, rules });
      const detail = { policies: rules.map(({ id }) => id) };
      await record(tx, { ctx, profile, event: { verb: "restoreBackup", detail } });
      return rules.length;
    });
  }
  return count;
}

function suspendAccounts({ db, now }: Ctx, ids: string[]): Promise<number> {
  const where = { id: { in: ids }, state: "active" as const };
  return inTransaction(db, async (tx) => {
    await tx.session.deleteMany({ where: { userId: { in: ids } } });
    return changeUsers(tx, { now, where, data: { state: "suspended" }, because: "formerAdmin" });
  });
}

function endAdmins({ db, now }: Ctx, ids: string[]): Promise<number> {
  const where = { id: { in: ids }, role: "admin" as const };
  return inTransaction(db, (tx) =>
    changeUsers(tx, { now, where, data: { role: "user" }, because: "formerAdmin" }),
  );
}

/** Nobody signs in with the former password. A link by an admin or by mail leads to a new one. */
function endPasswords({ db, now }: Ctx, ids: string[]): Promise<number> {
  const where = { id: { in: ids }, passwordHash: { not: null } };
  return inTransaction(db, async (tx) => {
    await tx.session.deleteMany({ where: { userId: { in: ids } } });
    return changeUsers(tx, { now, where, data: { passwordHash: null }, because: "password" });
  });
}

interface UserChange extends Omit<Pausing, "userId"> {
  where: Prisma.UserWhereInput;
  data: Prisma.UserUpdateManyMutationInput;
}

async function changeUsers(tx: Tx, { where, data, ...pausing }: UserChange): Promise<number> {
  const changed = await tx.user.updateManyAndReturn({ where, data, select: { id: true } });
  for (const { id: userId } of changed) await pauseWebhooksOf(tx, { userId, ...pausing });
  return changed.length;
}

/**
 * Their present address is not known, and somebody else may read the mail at the former one. So the account is
 * suspended, without password and mail, until an admin has spoken to its user.
 */
async function lockAccounts(ctx: Ctx, ids: string[]): Promise<number> {
  const { db } = ctx;
  let count = 0;
  for (const userId of ids) {
    count += await inTransaction(db, async (tx) => {
      await tx.session.deleteMany({ where: { userId } });
      await tx.mailbox.deleteMany({ where: { userId } });
      const locked = await tx.user.updateMany({
        where: { id: userId, OR: [{ state: "active" }, { passwordHash: { not: null } }] },
        data: { state: "suspended", passwordHash: null },
      });
      if (locked.count === 0) return 0;
      const [verb, after] = ["suspendUser", { state: "suspended", reason: "address.changed" }];
      await recordAdmin(tx, { ctx, event: { verb, subjectId: userId, after } });
      await recordForOwner(tx, { ctx, userId, event: { verb, detail: after } });
      return 1;
    });
  }
  return count;
}

/** Which mail was stopped is not known: all ends that can be stopped. */
function stopMail({ db }: Ctx, userIds: string[]): Promise<number> {
  const where: Prisma.MailboxWhereInput = {
    userId: { in: userIds },
    OR: [{ requests: true }, { agents: true }, { digest: { not: "never" } }, { contents: true }],
  };
  const switches = { requests: false, agents: false, contents: false };
  const data = { ...switches, digest: "never", digestDueAt: null } as const;
  return counted(db.mailbox.updateMany({ where, data }));
}
