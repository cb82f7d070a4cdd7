import type { Tx } from "@/lib/engine/db";
import {
  busy,
  forbidden,
  GatewayError,
  invalidRequest,
  isUnconfirmed,
  notFound,
  unauthorized,
} from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import { type DecideCategory, decideAsOwner, decideEach } from "@/lib/rules/decide";
import type { Facts, Permission } from "@/lib/rules/facts";
import { type Caller, type Extent, isReading, may, type Permit, type Verb } from "@/lib/rules/may";
import { demandSame } from "./archive/still-reads";
import { type EventDraft, type EventRow, eventRow, insertAlone, insertIn } from "./audit/record";
import { AuthorityChanged, type Demands, demandKey, withAuthority } from "./authority";
import type { Ctx } from "./context";
import { knownFacts, type ProfileFacts, type ProfileRow } from "./facts";
import { withReviewers } from "./reviewers/reviewers-of";

export interface OpenProfile {
  profile: ProfileRow;
  /** Null for the owner, to whom no policy applies. */
  facts: Facts | null;
  extent: Extent;
  /** This call's one event, by its id: in the transaction that changes something, if it changes anything. */
  record: (event: Omit<EventDraft, "verb">, tx?: Tx) => Promise<string>;
  /** After a transaction that was rolled back: this call has no event yet. */
  forgetEvent: () => void;
  /** Records the event together with a statement that makes the change; null if neither was done. */
  recordWith: <Done>(
    event: Omit<EventDraft, "verb">,
    store: (row: EventRow) => Promise<Done | null>,
  ) => Promise<Done | null>;
}

export interface Input {
  verb: Verb;
  did: string;
  scopes?: readonly Scope[];
  /** The work checks the caller's authority itself, under its locks. */
  locks?: boolean;
}

/**
 * The first line of every verb on a profile: it exists, and the caller may. Every refusal from here on leaves
 * an event for the owner. Protocol 9.
 */
export async function withProfile<T>(
  ctx: Ctx,
  input: Input,
  work: (open: OpenProfile) => Promise<T>,
): Promise<T> {
  let current = ctx;
  for (let tried = 1; ; tried++) {
    try {
      return await openOnce(current, input, work);
    } catch (error) {
      if (!(error instanceof AuthorityChanged)) throw error;
      if (tried === triesMax) throw busy(changing, 1);
      // The cache still has, for the revisions of this request, what has just changed.
      current = { ...ctx, revisions: undefined };
    }
  }
}

// Decided by what is in force in the transaction that writes.
const agentsChanges: ReadonlySet<Verb> = new Set([
  "proposeMemory",
  "requestAccess",
  "withdrawProposal",
  "answerWhy",
]);

const triesMax = 3;
const changing =
  "Access to this profile was being changed during the request. Nothing was done; send it again.";

async function openOnce<T>(
  ctx: Ctx,
  { verb, did, scopes = [], locks = false }: Input,
  work: (open: OpenProfile) => Promise<T>,
): Promise<T> {
  const began = performance.now();
  const { profile, facts } = await openFacts(ctx, { verb, did });
  const stillReads = async () => {
    if (locks || performance.now() - began < swiftMs) return;
    await demandSame(ctx, { verb, profile, facts });
  };
  let recorded = false;
  const recordWith: OpenProfile["recordWith"] = async (event, store) => {
    const done = await store(eventRow(ctx, profile, { verb, asked: scopes, ...event }));
    recorded ||= done !== null;
    return done;
  };
  const recordOnce: OpenProfile["record"] = async (event, tx) => {
    const row = eventRow(ctx, profile, { verb, asked: scopes, ...event });
    await (tx ? insertIn(tx, [row]) : insertAlone(ctx, row));
    recorded = true;
    return row.id;
  };
  try {
    const permit = may({ caller: ctx.caller, verb, profile });
    const extent = extentOf(permit);
    // Only owners have no facts; an agent without them was just deleted.
    if (agentsChanges.has(verb) && profile.authority === null) throw unauthorized();
    if (facts === null && extent !== "all") throw unauthorized();
    const done = await inShare(ctx, profile, () =>
      work({
        profile,
        facts,
        extent,
        record: async (event, tx) => {
          await stillReads();
          return recordOnce(event, tx);
        },
        recordWith,
        forgetEvent: () => {
          recorded = false;
        },
      }),
    );
    if (!recorded) await stillReads();
    if (recorded && isNews(ctx, verb)) ctx.announce(profile.id);
    return done;
  } catch (error) {
    // Nothing was refused yet if the caller has to confirm first.
    if (error instanceof GatewayError && !recorded && !isUnconfirmed(error)) {
      await recordOnce({ outcome: error.code, denied: deniedIn(error) });
    }
    // A refusal may have left something too: a request for consent.
    if (recorded && isNews(ctx, verb)) ctx.announce(profile.id);
    throw error;
  }
}

// A read that is kept is answered in the turn it came in: no step more than needed.
function openFacts(ctx: Ctx, { verb, did }: Pick<Input, "verb" | "did">): Promise<ProfileFacts> {
  const wants = {
    categories: verb === "listMemories" || verb === "getProfile",
    authority: agentsChanges.has(verb),
  };
  const known = knownFacts(ctx, { profileDid: did, wants });
  if (verb !== "reviewForOwner") return known;
  return known.then(async (facts) => {
    await withReviewers(ctx.db, { verb, profile: facts.profile, now: ctx.now });
    return facts;
  });
}

// A read that is faster than this is answered by the decision that it began with.
const swiftMs = 100;

// Waiting for a profile's lock holds a connection. Agents' statements are batched across profiles, in lanes of
// their own.
function inShare<T>({ caller, shares }: Ctx, { ownerId }: ProfileRow, work: () => Promise<T>) {
  return caller.kind === "agent" || caller.kind === "token" ? work() : shares.run(ownerId, work);
}

// Reads by the owner are not announced: a page would reload itself forever.
function isNews({ caller }: Ctx, verb: Verb): boolean {
  return !isReading(verb) || caller.kind !== "person";
}

/** A profile that is being changed: its row is locked, and the caller may do this as of now. */
export interface OpenChange
  extends Omit<OpenProfile, "facts" | "record" | "recordWith" | "forgetEvent"> {
  tx: Tx;
  /** This call's one event, in the same transaction. */
  record: (event: Omit<EventDraft, "verb">) => Promise<string>;
  /** The events of a call that changes many of a kind, in one statement. */
  recordAll: (events: readonly Omit<EventDraft, "verb">[]) => Promise<void>;
}

/**
 * Changes a profile in one transaction: locks the caller's authority, then the profile, reads owner and state
 * under the locks, and asks `may` again before the work. `prepare` runs before those locks; the work has to
 * check again what it relies on.
 */
export async function changeProfile<T>(
  ctx: Ctx,
  { verb, did, scopes, ...demands }: Input & Demands,
  work: (open: OpenChange) => Promise<T>,
  prepare?: (tx: Tx, profileId: number) => Promise<void>,
): Promise<T> {
  return withProfile(ctx, { verb, did, scopes, locks: true }, (open) => {
    const keyOwner = open.profile.ownerId;
    const change = async (tx: Tx, caller: Caller) => {
      // Also for the event of a refusal: the owner may have changed.
      const profile = Object.assign(open.profile, await lockFor(verb, tx, open.profile.id));
      await withReviewers(tx, { verb, profile, now: ctx.now });
      const extent = extentOf(may({ caller, verb, profile }));
      if (caller.kind === "user") await demandKey(tx, caller);
      const record: OpenChange["record"] = (event) => open.record(event, tx);
      const recordAll: OpenChange["recordAll"] = async (events) => {
        const rows: EventRow[] = [];
        for (const event of events) await open.recordWith(event, async (row) => rows.push(row));
        await insertIn(tx, rows);
      };
      return work({ profile, extent, tx, record, recordAll });
    };
    const preparing = prepare && ((tx: Tx) => prepare(tx, open.profile.id));
    const changing = withAuthority(ctx, { ...demands, keyOwner }, change, preparing);
    // The event went with the change that failed: a refusal leaves its own.
    return changing.catch(async (error: unknown) => {
      open.forgetEvent();
      // The owner may have changed, or the profile may be gone.
      if (prepare) Object.assign(open.profile, await lockProfile(ctx.db, open.profile.id));
      throw error;
    });
  });
}

/** Locks the profile until the end of the transaction; its owner and state cannot change. */
export async function lockProfile(tx: Tx, id: number): Promise<LockedProfile> {
  const rows = await tx.$queryRaw<
    LockedProfile[]
  >`SELECT "ownerId", state, common FROM "Profile" WHERE id = ${id} FOR NO KEY UPDATE`;
  const [profile] = rows;
  if (profile === undefined) throw notFound("profile");
  return profile;
}

// A deletion waits for new rows of the profile, and they for it: with the weaker lock, each could end up waiting for
// the other.
async function lockFor(verb: Verb, tx: Tx, id: number): Promise<LockedProfile> {
  if (verb === "deleteProfile") {
    await tx.$executeRaw`SELECT FROM "Profile" WHERE id = ${id} FOR UPDATE`;
  }
  return lockProfile(tx, id);
}

type LockedProfile = Pick<ProfileRow, "ownerId" | "state" | "common">;

/** How each category of an open profile is decided: by policy, or all of it for its owner. */
export function decider({ facts }: OpenProfile, permission: Permission): DecideCategory {
  return facts === null ? decideAsOwner : decideEach(facts, permission);
}

function extentOf(permit: Permit): Extent {
  if (permit.allowed) return permit.extent;
  const { code, message } = permit;
  throw code === "PROF002" ? forbidden(message) : invalidRequest([{ path: "path.did", message }]);
}

function deniedIn({ details }: GatewayError): string[] {
  const denied = details?.deniedScopes;
  return Array.isArray(denied) ? denied.map(String) : [];
}
