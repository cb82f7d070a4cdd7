import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { notFound } from "@/lib/protocol/errors";
import { hashDid } from "../accounts/new-profile";
import { recordAdmin } from "../audit/record";
import type { Ctx } from "../context";
import { onProfile } from "../open-profile";
import { type Erased, eraseProfile } from "./erase-profile";

/** Whatever is told of it must be told in the same transaction, and elsewhere: its own log goes too. */
export async function deleteProfile(ctx: Ctx, { did }: { did: string }): Promise<void> {
  await onProfile(ctx, { verb: "deleteProfile", did }, async ({ profile }) => {
    await inTransaction(ctx.pool, async (client) => {
      await lockForErasure(client, profile);
      await eraseProfile(client, { profile, now: ctx.now });
      const event = { verb: "deleteProfile", subjectId: tombstoneOf(did) };
      await recordAdmin(client, { ctx, event });
    });
    ctx.announce(profile.id);
  });
}

/** Waits for every change that is under way; refuses where somebody was faster. */
export async function lockForErasure(client: PoolClient, { id }: Erased): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM "Profile" WHERE id = $1 FOR UPDATE`, [id]);
  if (rowCount === 0) throw notFound("profile");
}

/** What the log of the gateway calls a DID that is gone. */
export function tombstoneOf(did: string): string {
  return `sha256:${Buffer.from(hashDid(did)).toString("hex")}`;
}
