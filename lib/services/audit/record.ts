import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { ActorKind } from "@/lib/engine/prisma-client/enums";
import { batched } from "@/lib/engine/query-batcher";
import { newId } from "@/lib/engine/random";
import type { Reason } from "@/lib/rules/decide";
import type { Caller, ProfileFact } from "@/lib/rules/may";
import type { Ctx } from "../context";

/** An event of a profile, for its owner to read. Protocol 9. */
export interface Event {
  verb: string;
  outcome: string;
  asked: readonly string[];
  granted: readonly string[];
  denied: readonly string[];
  /** Category → how many items were handed out. */
  items: Record<string, number>;
  /** Category or scope → why. */
  reasons: Record<string, Reason>;
  purposeType: string | null;
  receiptId: string | null;
  subjectId: string | null;
  detail: Record<string, unknown>;
}

/** How many entries of its lists an event leaves out. */
export type LeftOut = Partial<
  Record<"asked" | "granted" | "denied" | "items" | "reasons" | "itemCount", number>
>;

export type EventDraft = Pick<Event, "verb"> & Partial<Event>;
type Subject = ProfileFact & { id: number };

/** Records an event in the transaction of the change that it describes. Its id names that change. */
export async function record(
  tx: Tx,
  { ctx, profile, event }: { ctx: Ctx; profile: Subject; event: EventDraft },
): Promise<string> {
  const row = eventRow(ctx, profile, event);
  await insertIn(tx, [row]);
  return row.id;
}

/** Inserts events in the transaction of the changes that they describe. */
export async function insertIn(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  await tx.$executeRaw(insertEvents(Prisma.sql`${JSON.stringify(rows)}::json`));
}

// Leaves out of the row what JSON leaves out.
const asJson = (value: object) => JSON.parse(JSON.stringify(value));

/** All that an event has before it is sealed. */
export const eventColumns = Prisma.sql`id, "profileId", at, actor, "actorId", verb, outcome, asked, granted, denied, items,
  reasons, "purposeType", "receiptId", "subjectId", detail, "requestId"`;

/** Inserts the events of a JSON list; for statements that change something and tell of it in one. */
export const insertEvents = (list: Prisma.Sql) => Prisma.sql`
  INSERT INTO "AccessEvent" (${eventColumns})
  SELECT ${eventColumns} FROM json_populate_recordset(NULL::"AccessEvent", ${list})`;

/** Inserts an event that describes no change. */
export async function insertAlone(ctx: Ctx, row: EventRow): Promise<void> {
  if (ctx.recordEvent) ctx.recordEvent(row);
  else await insertTogether(ctx.pool, row);
}

const insertTogether = batched<EventRow, object>({
  name: "record",
  sql: (rows) => insertEvents(Prisma.sql`${JSON.stringify(rows)}::json`),
});

export interface AdminEventDraft {
  verb: string;
  /** Never an address or a DID of a user's: it stays when they are erased. */
  subjectId: string;
  before?: object;
  after?: object;
}

/** A change to what belongs to no profile, in the transaction that makes it. */
export async function recordAdmin(
  tx: Tx,
  { ctx, event }: { ctx: Ctx; event: AdminEventDraft },
): Promise<string> {
  const { verb, subjectId, before, after } = event;
  const { id } = await tx.adminEvent.create({
    data: {
      id: newId("evt"),
      at: ctx.now,
      adminId: adminIdOf(ctx),
      verb,
      subjectId,
      before: before && asJson(before),
      after: after && asJson(after),
      requestId: ctx.requestId,
    },
    select: { id: true },
  });
  return id;
}

/** Returns the name of a profile in the gateway's log, also after it is gone. */
export function profileSubject(id: number): string {
  return `profile:${id}`;
}

// An agent that registers by itself is nobody yet.
export function adminIdOf({ caller }: Ctx): string {
  if (caller.kind === "person") return caller.userId;
  return caller.kind === "nobody" || caller.kind === "agent" ? "itself" : caller.kind;
}

export type EventRow = ReturnType<typeof eventRow>;

export function eventRow({ caller, now, requestId }: Ctx, profile: Subject, event: EventDraft) {
  const { lists, more } = boundedLists(event);
  return {
    id: newId("evt"),
    profileId: profile.id,
    at: now,
    ...actorOf(caller, profile),
    verb: event.verb,
    outcome: event.outcome ?? "ok",
    ...lists,
    purposeType: event.purposeType ?? null,
    receiptId: event.receiptId ?? null,
    subjectId: event.subjectId ?? null,
    detail: {
      ...event.detail,
      ...keyOf(caller),
      ...viaOf(caller),
      ...(Object.keys(more).length > 0 ? { more } : {}),
    },
    requestId,
  };
}

// The signer with a key that an admin added may be that admin, so the owner reads of it each time.
function keyOf(caller: Caller): { keyByAdmin?: true } {
  return caller.kind === "agent" && caller.keyByAdmin ? { keyByAdmin: true } : {};
}

// The entry point, where it is not the protocol's, and which installation came through it.
function viaOf(caller: Caller): { via?: "mcp"; connection?: string } {
  return caller.kind === "token" && caller.ofClient
    ? { via: "mcp", connection: caller.tokenId }
    : {};
}

/** How many entries each list of an event keeps, as the log keeps it for good. */
export const entriesMax = 100;

// Counts entries that are left out in the detail's `more`; for items also their number.
function boundedLists(event: EventDraft) {
  const { asked = [], granted = [], denied = [] } = event;
  const [items, reasons] = [Object.entries(event.items ?? {}), Object.entries(event.reasons ?? {})];
  const whole = { asked, granted, denied, items, reasons };
  const more: LeftOut = {};
  for (const [name, entries] of Object.entries(whole) as [keyof typeof whole, unknown[]][]) {
    if (entries.length > entriesMax) more[name] = entries.length - entriesMax;
  }
  if (more.items) {
    more.itemCount = items.slice(entriesMax).reduce((sum, [, count]) => sum + count, 0);
  }
  const lists = {
    asked: asked.slice(0, entriesMax),
    granted: granted.slice(0, entriesMax),
    denied: denied.slice(0, entriesMax),
    items: Object.fromEntries(items.slice(0, entriesMax)),
    reasons: Object.fromEntries(reasons.slice(0, entriesMax)),
  };
  return { lists, more };
}

function actorOf(caller: Caller, profile: ProfileFact): { actor: ActorKind; actorId: string } {
  switch (caller.kind) {
    case "agent":
    case "token":
      return { actor: "agent", actorId: caller.did };
    case "user":
      return { actor: caller.did === profile.did ? "owner" : "agent", actorId: caller.did };
    case "person":
      if (caller.userId === profile.ownerId) return { actor: "owner", actorId: profile.did };
      if (profile.reviewers?.includes(caller.userId)) {
        return { actor: "reviewer", actorId: caller.userId };
      }
      // Another user is nobody in this log: a former owner, say, whose request came before the transfer.
      return caller.role === "admin"
        ? { actor: "admin", actorId: caller.userId }
        : { actor: "system", actorId: "nobody" };
    case "shell":
      return { actor: "admin", actorId: caller.kind };
    case "gateway":
    case "nobody":
      return { actor: "system", actorId: caller.kind };
  }
}
