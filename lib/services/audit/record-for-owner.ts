import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import type { Ctx } from "../context";
import { type EventDraft, record } from "./record";

interface OwnerEvent {
  ctx: Ctx;
  userId: string;
  event: EventDraft;
}

/** Records a change of an account in the log of each of the owner's profiles. */
export async function recordForOwner(tx: Tx, { ctx, userId, event }: OwnerEvent): Promise<void> {
  const rows = await tx.$queryRaw<
    {
      id: number;
      did: Did;
      ownerId: string;
      state: "active" | "suspended";
    }[]
  >`SELECT id, did, "ownerId", state FROM "Profile" WHERE "ownerId" = ${userId} ORDER BY id`;
  for (const profile of rows) await record(tx, { ctx, profile, event });
}
