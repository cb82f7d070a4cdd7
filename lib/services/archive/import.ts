import { brokenReference, databaseCode, type Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { busy, invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { changeProfile, type OpenChange } from "../profile-gate";
import { insertLongLists, insertRest } from "./insert";
import type { PackedArchive, ReadArchive } from "./packed-archive";

export interface Importing {
  did: string;
  archive: ReadArchive;
  /** Whether its policies are in force at once; else they are there, switched off. */
  switchPoliciesOn: boolean;
  /** Ends the import, unless it is about to be committed. */
  signal?: AbortSignal;
}

export interface Imported {
  namedValues: number;
  memories: number;
  proposals: number;
  policies: number;
}

/**
 * Into a profile that holds nothing yet, all of it or nothing. Nobody gains access by it unless the owner
 * says so: policies come switched off, receipts come revoked, and tokens, keys and events do not come.
 */
export async function importProfile(
  ctx: Ctx,
  { did, archive, switchPoliciesOn, signal }: Importing,
): Promise<Imported> {
  const asking = { verb: "importProfile", did, lasting: true } as const;
  if ("issues" in archive) {
    return changeProfile(ctx, asking, async () => {
      throw invalidRequest(archive.issues);
    });
  }
  const inserting = { did, archive, now: ctx.now, renewed: new Map<string, string>() };
  const finish = async ({ tx, profile, record }: OpenChange) => {
    const profileId = profile.id;
    await refuseUnlessEmpty(tx, profileId);
    await refusingUnfit(() => insertRest(tx, { ...inserting, profileId, switchPoliciesOn }));
    const { namedValues, memories, proposals, policies } = archive.counts;
    const imported = { namedValues, memories, proposals, policies };
    await record({ detail: { ...imported, switchPoliciesOn } });
    return imported;
  };
  // The rows come first: while they are indexed nobody waits for the account or the profile.
  const prepare = async (tx: Tx, profileId: number) => {
    const goOn = () => refuseToKeepOthersWaiting(tx, signal);
    await refuseUnlessEmpty(tx, profileId);
    await refusingUnfit(() => insertLongLists(tx, { ...inserting, profileId, goOn }));
    await goOn();
  };
  const account = ctx.caller.kind === "person" ? ctx.caller.userId : ctx.caller.kind;
  return ctx.shares.long({ account, bytes: bytesOf(archive) }, () =>
    changeProfile(ctx, asking, finish, prepare),
  );
}

function bytesOf({ slices }: PackedArchive): number {
  return slices.reduce((sum, { rows }) => sum + rows.length, 0);
}

const retryAfterSeconds = 15;

// The new rows refer to the profile, so its erasure waits for this transaction, which gives way within one batch.
async function refuseToKeepOthersWaiting(tx: Tx, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) {
    const message =
      "Took longer than five minutes, or the connection broke. Nothing was imported; try again, or import less.";
    throw invalidRequest([{ path: "file", message }]);
  }
  // The statement that sorts new words into an index goes on while others add more: no batch adds to the last one's.
  // A newer version may have no such index.
  await tx.$queryRaw`SELECT gin_clean_pending_list(to_regclass(name))::text FROM unnest(${textIndexes}::text[]) AS name`;
  const rows = await tx.$queryRaw<
    { keepsOthers: boolean }[]
  >`SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'
       AND transactionid = pg_current_xact_id()::xid) AS "keepsOthers"`;
  if (!rows[0]?.keepsOthers) return;
  const message =
    "The profile was being changed during the import. Nothing was imported; try again in a moment.";
  throw busy(message, retryAfterSeconds);
}

const textIndexes = [
  '"Memory_similar_idx"',
  '"Memory_words_idx"',
  '"Proposal_similar_idx"',
  '"Proposal_decided_similar_idx"',
];

const isOther = Prisma.sql`xmin <> pg_current_xact_id()::xid`;

// Rows of this transaction are the import's own: the same question is asked before and after they are there.
async function refuseUnlessEmpty(tx: Tx, profileId: number): Promise<void> {
  const rows = await tx.$queryRaw<{ held: string }[]>`SELECT CASE
       WHEN EXISTS (SELECT FROM "Memory" WHERE "profileId" = ${profileId} AND ${isOther}) THEN 'memories'
       WHEN EXISTS (SELECT FROM "NamedValue" WHERE "profileId" = ${profileId}) THEN 'named values'
       WHEN EXISTS (SELECT FROM "Proposal" WHERE "profileId" = ${profileId} AND ${isOther}) THEN 'proposals'
       WHEN EXISTS (SELECT FROM "ConsentRequest" WHERE "profileId" = ${profileId} AND ${isOther}) THEN 'access requests'
       WHEN EXISTS (SELECT FROM "Receipt" WHERE "profileId" = ${profileId} AND ${isOther}) THEN 'receipts'
       WHEN EXISTS (SELECT FROM "Policy" WHERE "profileId" = ${profileId} AND origin <> 'template')
         THEN 'policies of your own'
       WHEN EXISTS (SELECT FROM "Profile" WHERE id = ${profileId}
         AND (common - 'identity' - 'preferences' <> '{}'
           OR coalesce(common->'preferences', '{}') <> '{}'
           OR coalesce(common->'identity', '{}') - 'displayName' <> '{}'))
         THEN 'preferences'
     END AS held`;
  const held = rows[0]?.held ?? null;
  if (held === null) return;
  const message = `This profile is not empty: it holds ${held}, maybe deleted ones. Make a new profile and import into that.`;
  throw invalidRequest([{ path: "profile", message }]);
}

// Errors of the database about the contents are faults of the file, as is an id taken in the meantime.
async function refusingUnfit(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // The only reference that can break is the one to the profile, which is gone then.
    if (brokenReference(error) !== undefined) throw notFound("profile");
    if (!/^2[23]/.test(databaseCode(error) ?? "")) throw error;
    const message = "It holds something that no profile can hold. Nothing was imported.";
    throw invalidRequest([{ path: "file", message }]);
  }
}
