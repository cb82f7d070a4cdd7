import type { Tx } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { type Did, parseDid } from "@/lib/protocol/did";
import { forbidden, invalidRequest, notFound } from "@/lib/protocol/errors";
import { recordAdmin } from "../audit/record";
import { demandConfirmed, withAuthority } from "../authority";
import type { Ctx } from "../context";
import { warnUser } from "../mail/enqueue";
import { changeProfile } from "../profile-gate";
import { recordNewKey } from "./record-new-key";
import { demandRunsAgent } from "./runs-agent";

export const activeKeysMax = 5;

export interface NewKey {
  did: Did;
  /** 32 raw bytes that were found sound. */
  publicKey: Buffer;
  label?: string;
}

/** Rotation is add, then revoke. Protocol 1. */
export async function addKey(ctx: Ctx, key: NewKey): Promise<{ id: string }> {
  return changeKeys(ctx, { verb: "addKey", did: key.did }, async (tx, addedBy) => {
    const id = await insertKey(tx, { ...key, addedBy, now: ctx.now });
    if (id === null) throw invalidRequest([await whyNot(tx, key)]);
    return { id };
  });
}

/** It stops working on every instance with the very next request. */
export async function revokeKey(
  ctx: Ctx,
  { did, keyId }: { did: Did; keyId: string },
): Promise<void> {
  await changeKeys(ctx, { verb: "revokeKey", did }, async (tx) => {
    const { count } = await tx.key.updateMany({
      where: { id: keyId, did, slot: { not: null } },
      data: { slot: null, revokedAt: ctx.now },
    });
    if (count === 0) throw notFound("key");
    return { id: keyId };
  });
}

interface InsertedKey extends NewKey {
  /** The admin who adds it to an agent that they do not run. */
  addedBy?: string | null;
  now: Date;
}

/** Into the first free slot. Null where none is free, or the DID has had this key before. */
export async function insertKey(
  tx: Tx,
  { did, publicKey, label, addedBy = null, now }: InsertedKey,
): Promise<string | null> {
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`INSERT INTO "Key" (id, did, "publicKey", label, slot, "createdAt", "addedBy")
     SELECT ${newId("key")}::text, ${did}::varchar, ${publicKey}::bytea, ${label ?? null}::text, free.slot, ${now}::timestamptz, ${addedBy}::text
     FROM generate_series(1, ${activeKeysMax}::int) AS free(slot)
     WHERE NOT EXISTS (SELECT FROM "Key" k WHERE k.did = ${did}::varchar AND k.slot = free.slot)
     ORDER BY free.slot LIMIT 1
     ON CONFLICT DO NOTHING RETURNING id`;
  return rows[0]?.id ?? null;
}

type Change = { verb: "addKey" | "revokeKey"; did: Did };
type Work = (tx: Tx, addedBy: string | null) => Promise<{ id: string }>;

// A user's keys are the owner's to change. An agent's are an admin's, or theirs who registered it.
async function changeKeys(ctx: Ctx, { verb, did }: Change, work: Work): Promise<{ id: string }> {
  if (parseDid(did)?.kind === "agent") return changeAgentKeys(ctx, { verb, did }, work);
  const lasting = verb === "addKey";
  // The profile's lock puts changes to its keys in order, so that a slot that looks free is free.
  return changeProfile(ctx, { verb: "editKeys", did, lasting }, async (open) => {
    const changed = await work(open.tx, null);
    await open.record({ subjectId: changed.id, detail: { change: verb } });
    const { ownerId: userId } = open.profile;
    if (lasting) await warnUser(open.tx, { now: ctx.now, userId, event: "key_added" });
    return changed;
  });
}

async function changeAgentKeys(ctx: Ctx, { verb, did }: Change, work: Work) {
  if (ctx.caller.kind !== "person") throw forbidden();
  const demands = { agents: [did], lasting: verb === "addKey" };
  return withAuthority(ctx, demands, async (tx, caller) => {
    const { isOwn } = await demandRunsAgent(tx, { caller, did });
    if (!isOwn) await demandConfirmed(tx, ctx);
    const addedBy = isOwn || caller.kind !== "person" ? null : caller.userId;
    const changed = await work(tx, addedBy);
    await recordAdmin(tx, { ctx, event: { verb, subjectId: did, after: { key: changed.id } } });
    // The new key reads as the agent.
    if (verb === "addKey" && addedBy !== null) {
      await recordNewKey(tx, { ctx, did, keyId: changed.id });
    }
    return changed;
  });
}

async function whyNot(tx: Tx, { did, publicKey }: NewKey) {
  const count = await tx.key.count({ where: { did, publicKey: new Uint8Array(publicKey) } });
  const message =
    count === 0
      ? `There are ${activeKeysMax} active keys already. Revoke one first.`
      : "This key was registered before. Make a new one.";
  return { path: "publicKey", message };
}
