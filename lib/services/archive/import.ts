import type { PoolClient } from "pg";
import { invalidRequest } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";
import { insertArchive } from "./insert";
import type { ReadArchive } from "./packed-archive";

export interface Importing {
  did: string;
  archive: ReadArchive;
  /** Whether its policies are in force at once; else they are there, switched off. */
  switchPoliciesOn: boolean;
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
  { did, archive, switchPoliciesOn }: Importing,
): Promise<Imported> {
  const asking = { verb: "importProfile", did, lasting: true } as const;
  return changeProfile(ctx, asking, async ({ client, profile, record }) => {
    if ("issues" in archive) throw invalidRequest(archive.issues);
    const profileId = profile.id;
    await refuseUnlessEmpty(client, profileId);
    await refusingUnfit(() =>
      insertArchive(client, { profileId, did, archive, switchPoliciesOn, now: ctx.now }),
    );
    const { namedValues, memories, proposals, policies } = archive.counts;
    const imported = { namedValues, memories, proposals, policies };
    await record({ detail: { ...imported, switchPoliciesOn } });
    return imported;
  });
}

async function refuseUnlessEmpty(client: PoolClient, profileId: number): Promise<void> {
  const { rows } = await client.query<{ held: string }>(
    `SELECT CASE
       WHEN EXISTS (SELECT FROM "Memory" WHERE "profileId" = $1) THEN 'memories'
       WHEN EXISTS (SELECT FROM "NamedValue" WHERE "profileId" = $1) THEN 'named values'
       WHEN EXISTS (SELECT FROM "Proposal" WHERE "profileId" = $1) THEN 'proposals'
       WHEN EXISTS (SELECT FROM "ConsentRequest" WHERE "profileId" = $1) THEN 'access requests'
       WHEN EXISTS (SELECT FROM "Receipt" WHERE "profileId" = $1) THEN 'receipts'
       WHEN EXISTS (SELECT FROM "Policy" WHERE "profileId" = $1 AND origin <> 'template')
         THEN 'policies of your own'
       WHEN EXISTS (SELECT FROM "Profile" WHERE id = $1
         AND (common - 'identity' - 'preferences' <> '{}'
           OR coalesce(common->'preferences', '{}') <> '{}'
           OR coalesce(common->'identity', '{}') - 'displayName' <> '{}'))
         THEN 'preferences'
     END AS held`,
    [profileId],
  );
  const held = rows[0]?.held ?? null;
  if (held === null) return;
  const message = `This profile is not empty: it holds ${held}, maybe deleted ones. Make a new profile and import into that.`;
  throw invalidRequest([{ path: "profile", message }]);
}

// What the database itself refuses is the file's fault too, and an id that was given away meanwhile.
async function refusingUnfit(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!/^2[23]/.test(code)) throw error;
    const message = "It holds something that no profile can hold. Nothing was imported.";
    throw invalidRequest([{ path: "file", message }]);
  }
}
