import type { PoolClient } from "pg";
import type { Ctx } from "../context";
import { type EventDraft, eventColumns, eventRow } from "./record";

interface ManyInput {
  ctx: Ctx;
  event: EventDraft;
  /** A query for the ids of the profiles, each once. `$1` is the event; `$2` and on are `values`. */
  profileIds: string;
  values: unknown[];
}

// 122 random bits in the alphabet of `newId`: the database makes an id per row.
const newEventId = `'evt_' || left(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', 'aZ'), 22)`;

// The actor owns none of the profiles that the event is written for.
const nobodys = { id: 0, did: "did:prof:user:local:none", ownerId: "", state: "active" } as const;

/** Records one event in the logs of many profiles, in one statement however many they are. */
export async function recordForProfiles(
  client: PoolClient,
  { ctx, event, profileIds, values }: ManyInput,
): Promise<void> {
  await client.query(
    `INSERT INTO "AccessEvent" (${eventColumns}) SELECT ${eventColumns}
     FROM (${profileIds}) AS subject (target)
     CROSS JOIN LATERAL jsonb_populate_record(NULL::"AccessEvent",
       $1::jsonb || jsonb_build_object('id', ${newEventId}, 'profileId', target))`,
    [JSON.stringify(eventRow(ctx, nobodys, event)), ...values],
  );
}
