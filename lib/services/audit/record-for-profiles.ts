import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Ctx } from "../context";
import { type EventDraft, eventColumns, eventRow } from "./record";

interface ManyInput {
  ctx: Ctx;
  event: EventDraft;
  /** A query for the ids of the profiles, each once. */
  profileIds: Prisma.Sql;
}

// 122 random bits in the alphabet of `newId`: the database makes an id per row.
const newEventId = Prisma.sql`'evt_' || left(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', 'aZ'), 22)`;

// The actor owns none of the profiles that the event is written for.
const nobodys = { id: 0, did: "did:prof:user:local:none", ownerId: "", state: "active" } as const;

/** Records one event in the logs of many profiles, in one statement however many they are. */
export async function recordForProfiles(
  tx: Tx,
  { ctx, event, profileIds }: ManyInput,
): Promise<void> {
  const row = JSON.stringify(eventRow(ctx, nobodys, event));
  await tx.$executeRaw`
    INSERT INTO "AccessEvent" (${eventColumns}) SELECT ${eventColumns}
    FROM (${profileIds}) AS subject (target)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::"AccessEvent",
      ${row}::jsonb || jsonb_build_object('id', ${newEventId}, 'profileId', target))`;
}
