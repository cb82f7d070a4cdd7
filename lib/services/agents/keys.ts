import type { PoolClient } from "pg";
import type { AgentOrigin } from "@/lib/engine/prisma-client/enums";
import { newId } from "@/lib/engine/random";
import { type Did, parseDid } from "@/lib/protocol/did";
import { forbidden, invalidRequest, notFound } from "@/lib/protocol/errors";
import { mayAdminister } from "@/lib/rules/may";
import { recordAdmin } from "../audit/record";
import { demandConfirmed, withAuthority } from "../authority";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";
import { recordNewKey } from "./record-new-key";

export const activeKeysMax = 5;

export interface NewKey {
  did: Did;
  /** 32 raw bytes that were found sound. */
  publicKey: Buffer;
  label?: string;
}

/** Rotation is add, then revoke. Protocol 1. */
export async function addKey(ctx: Ctx, key: NewKey): Promise<{ id: string }> {
  return changeKeys(ctx, { verb: "addKey", did: key.did }, async (client, addedBy) => {
    const id = await insertKey(client, { ...key, addedBy, now: ctx.now });
    if (id === null) throw invalidRequest([await whyNot(client, key)]);
    return { id };
  });
}

/** It stops working on every instance with the very next request. */
export async function revokeKey(
  ctx: Ctx,
  { did, keyId }: { did: Did; keyId: string },
): Promise<void> {
  await changeKeys(ctx, { verb: "revokeKey", did }, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE "Key" SET slot = NULL, "revokedAt" = $3
       WHERE id = $1 AND did = $2 AND slot IS NOT NULL`,
      [keyId, did, ctx.now],
    );
    if (rowCount === 0) throw notFound("key");
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
  client: PoolClient,
  { did, publicKey, label, addedBy = null, now }: InsertedKey,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO "Key" (id, did, "publicKey", label, slot, "createdAt", "addedBy")
     SELECT $1, $2::varchar, $3::bytea, $4, free.slot, $5::timestamptz, $6
     FROM generate_series(1, ${activeKeysMax}) AS free(slot)
     WHERE NOT EXISTS (SELECT FROM "Key" k WHERE k.did = $2::varchar AND k.slot = free.slot)
     ORDER BY free.slot LIMIT 1
     ON CONFLICT DO NOTHING RETURNING id`,
    [newId("key"), did, publicKey, label, now, addedBy],
  );
  return rows[0]?.id ?? null;
}

type Change = { verb: "addKey" | "revokeKey"; did: Did };
type Work = (client: PoolClient, addedBy: string | null) => Promise<{ id: string }>;

// A user's keys are the owner's to change. An agent's are an admin's, or theirs who registered it.
async function changeKeys(ctx: Ctx, { verb, did }: Change, work: Work): Promise<{ id: string }> {
  if (parseDid(did)?.kind === "agent") return changeAgentKeys(ctx, { verb, did }, work);
  const lasting = verb === "addKey";
  // The profile's lock puts changes to its keys in order, so that a slot that looks free is free.
  return changeProfile(ctx, { verb: "editKeys", did, lasting }, async (open) => {
    const changed = await work(open.client, null);
    await open.record({ subjectId: changed.id, detail: { change: verb } });
    return changed;
  });
}

async function changeAgentKeys(ctx: Ctx, { verb, did }: Change, work: Work) {
  if (ctx.caller.kind !== "person") throw forbidden();
  const demands = { agents: [did], lasting: verb === "addKey" };
  return withAuthority(ctx, demands, async (client, caller) => {
    if (caller.kind !== "person") throw forbidden();
    const { rows } = await client.query<{ registeredBy: string | null; origin: AgentOrigin }>(
      `SELECT "registeredBy", origin FROM "Agent" WHERE did = $1`,
      [did],
    );
    const [agent] = rows;
    // A user who registered an agent runs it. One that an admin registered is not their own.
    const isTheirs = agent?.registeredBy === caller.userId && agent.origin === "user";
    if (!isTheirs && !mayAdminister(caller).allowed) throw forbidden();
    if (agent === undefined) throw notFound("agent");
    if (!isTheirs) await demandConfirmed(client, ctx);
    const addedBy = isTheirs ? null : caller.userId;
    const changed = await work(client, addedBy);
    await recordAdmin(client, { ctx, event: { verb, subjectId: did, after: { key: changed.id } } });
    // The new key reads as the agent.
    if (verb === "addKey" && addedBy !== null) {
      await recordNewKey(client, { ctx, did, keyId: changed.id });
    }
    return changed;
  });
}

async function whyNot(client: PoolClient, { did, publicKey }: NewKey) {
  const { rowCount } = await client.query(`SELECT FROM "Key" WHERE did = $1 AND "publicKey" = $2`, [
    did,
    publicKey,
  ]);
  const message =
    rowCount === 0
      ? `There are ${activeKeysMax} active keys already. Revoke one first.`
      : "This key was registered before. Make a new one.";
  return { path: "publicKey", message };
}
