import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { newId } from "@/lib/engine/random";
import type { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { categoriesMax, tooManyCategories } from "../categories";
import { stateOf } from "../memories/shown";
import { keepBounds } from "../policies/bounds";

export interface Inserting {
  profileId: number;
  did: string;
  archive: ProfileArchive;
  switchPoliciesOn: boolean;
  now: Date;
}

const rowsAtOnce = 250;

/** Part of a transaction. Every id that is taken here already is replaced, wherever it stands. */
export async function insertArchive(client: PoolClient, given: Inserting): Promise<void> {
  const { profileId, archive, now } = given;
  refuseManyCategories(archive);
  const ids = await newIds(client, archive);
  const write = (table: Table, rows: object[]) => insertRows(client, table, rows);
  await client.query(
    `UPDATE "Profile" SET common = $2, "profileType" = $3::"ProfileType", "updatedAt" = $4 WHERE id = $1`,
    [profileId, JSON.stringify(archive.profile.common), archive.profile.profileType, now],
  );
  await write(
    "NamedValue",
    archive.namedValues.map((value) => ({ ...value, profileId, updatedAt: now })),
  );
  await write("Proposal", proposalRows(given, ids));
  await write("Memory", memoryRows(given, ids));
  await write("MemoryRevision", revisionRows(archive, ids));
  await write(
    "ConsentRequest",
    archive.consentRequests.map((one) => ({ ...one, id: ids(one.id), profileId })),
  );
  // The rules that stood here were for a profile with nothing in it.
  await client.query(
    given.switchPoliciesOn
      ? `DELETE FROM "Policy" WHERE "profileId" = $1 AND origin = 'template'`
      : `UPDATE "Policy" SET enabled = false WHERE "profileId" = $1 AND 'read' = ANY (permissions)`,
    [profileId],
  );
  await write("Policy", policyRows(given, ids));
  await keepBounds(client, { profileId, now });
  await write("Receipt", receiptRows(given, ids));
}

// The profile is empty and locked: what the archive has is all that it will have.
function refuseManyCategories({ memories, namedValues }: ProfileArchive): void {
  const liveOnes = memories.filter((memory) => stateOf(memory) === "live");
  const categories = new Set([...liveOnes, ...namedValues].map(({ category }) => category));
  if (categories.size > categoriesMax) throw tooManyCategories("memories");
}

type Ids = (id: string) => string;

function proposalRows({ archive, profileId, did }: Inserting, ids: Ids) {
  return archive.proposals.map((proposal) => ({
    ...proposal,
    id: ids(proposal.id),
    profileId,
    contentHash: `\\x${createHash("sha256").update(proposal.content).digest("hex")}`,
    reviewedBy: proposal.reviewedBy === archive.profile.did ? did : proposal.reviewedBy,
  }));
}

function memoryRows({ archive, profileId }: Inserting, ids: Ids) {
  const proposals = new Set(archive.proposals.map(({ id }) => id));
  return archive.memories.map(({ revisions: _, proposalId, ...memory }) => ({
    ...memory,
    id: ids(memory.id),
    profileId,
    proposalId: proposalId !== null && proposals.has(proposalId) ? ids(proposalId) : null,
  }));
}

function revisionRows({ memories }: ProfileArchive, ids: Ids) {
  return memories.flatMap(({ id, revisions }) =>
    revisions.map((revision) => ({ ...revision, memoryId: ids(id) })),
  );
}

function policyRows({ archive, profileId, switchPoliciesOn, now }: Inserting, ids: Ids) {
  const requests = new Set(archive.consentRequests.map(({ id }) => id));
  return archive.policies.map(({ consentRequestId: request, ...policy }) => ({
    ...policy,
    id: ids(policy.id),
    profileId,
    // What only denies opens nothing, and holds at once.
    enabled: policy.enabled && (switchPoliciesOn || policy.allow.length === 0),
    consentRequestId: request !== null && requests.has(request) ? ids(request) : null,
    updatedAt: now,
  }));
}

function receiptRows({ archive, profileId, now }: Inserting, ids: Ids) {
  return archive.receipts.map((receipt) => ({
    ...receipt,
    id: ids(receipt.id),
    profileId,
    revokedAt: receipt.revokedAt ?? now,
  }));
}

// Which ids are taken: an archive that comes back beside the profile it was made of has all of them.
async function newIds(client: PoolClient, archive: ProfileArchive): Promise<Ids> {
  const renewed = new Map<string, string>();
  const { memories, proposals, policies, consentRequests, receipts } = archive;
  const held = [
    ["Memory", "mem", memories],
    ["Proposal", "prop", proposals],
    ["Policy", "pol", policies],
    ["ConsentRequest", "creq", consentRequests],
    ["Receipt", "rcpt", receipts],
  ] as const;
  for (const [table, prefix, items] of held) {
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM "${table}" WHERE id = ANY($1)`,
      [items.map(({ id }) => id)],
    );
    for (const { id } of rows) renewed.set(id, newId(prefix));
  }
  return (id) => renewed.get(id) ?? id;
}

type Table = keyof typeof columns;

async function insertRows(client: PoolClient, table: Table, rows: object[]): Promise<void> {
  const names = columns[table].map((name) => `"${name}"`).join(", ");
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await client.query(
      `INSERT INTO "${table}" (${names}) SELECT ${names} FROM jsonb_populate_recordset(NULL::"${table}", $1)`,
      [JSON.stringify(rows.slice(at, at + rowsAtOnce))],
    );
  }
}

const purpose = ["purposeType", "purposeDescription", "legalBasis", "retention"];
const columns = {
  NamedValue: ["profileId", "category", "name", "value", "updatedAt"],
  Proposal: [
    ...["id", "profileId", "agentDid", "content", "contentHash", "category", "confidence"],
    ...["context", "status", "proposedAt", "expiresAt", "reviewedAt", "reviewedBy", "reason"],
  ],
  Memory: [
    ...["id", "profileId", "category", "content", "confidence", "source", "agentDid", "proposalId"],
    ...["createdAt", "updatedAt", "archivedAt", "deletedAt"],
  ],
  MemoryRevision: [
    ...["memoryId", "category", "content", "confidence", "cause", "archivedAt", "createdAt"],
  ],
  ConsentRequest: [
    ...["id", "profileId", "agentDid", "scopes", ...purpose, "status", "grantedScopes"],
    ...["timesAsked", "requestedAt", "decidedAt"],
  ],
  Policy: [
    ...["id", "profileId", "agentPattern", "verifiedOnly", "allow", "deny", "permissions"],
    ...["purposes", "maxRetention", "receiptSeconds", "enabled", "expiresAt", "origin"],
    ...["consentRequestId", "createdAt", "updatedAt"],
  ],
  Receipt: [
    ...["id", "profileId", "agentDid", "grantedScopes", "deniedScopes", ...purpose],
    ...["grantedAt", "expiresAt", "revokedAt"],
  ],
} satisfies Record<string, string[]>;
