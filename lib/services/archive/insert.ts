import { createHash } from "node:crypto";
import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { refuseManyCategories } from "../categories";
import { keepBounds } from "../policies/bounds";
import { keepDenied, switchOff } from "../policies/own-rules";
import { notifyAgents } from "../webhooks/notify-agents";
import { type PackedArchive, type PackedList, type PackedRows, rowsOf } from "./packed-archive";

export interface Inserting {
  profileId: number;
  did: string;
  archive: PackedArchive;
  switchPoliciesOn: boolean;
  now: Date;
}

/** Ids that are taken in this database, and what replaces each of them in all rows that name it. */
export type Renewed = Map<string, string>;

interface Copying {
  archive: PackedArchive;
  renewed: Renewed;
  /** Called before each statement: it throws to give up. */
  goOn?: () => Promise<void>;
}

type Copy = <List extends PackedList>(list: List, stored: Stored<List>) => Promise<void>;

function copierOf(tx: Tx, { archive, renewed, goOn }: Copying): Copy {
  return async (list, stored) => {
    for (const rows of rowsOf(archive, list)) {
      await goOn?.();
      await renewTaken(tx, { list, rows, renewed });
      await insertRows(tx, list, rows.map(stored));
    }
  };
}

/** Part of a transaction: inserts the lists that may be long. The texts in them take minutes to index. */
export async function insertLongLists(
  tx: Tx,
  { profileId, did, now, ...copying }: Omit<Inserting, "switchPoliciesOn"> & Copying,
): Promise<void> {
  const { archive, renewed } = copying;
  const id: Ids = (old) => renewed.get(old) ?? old;
  const copy = copierOf(tx, copying);
  // Else the first row would lock the profile.
  await tx.$executeRaw`SELECT set_config('gateway.importing', ${String(profileId)}, true)`;
  await copy("proposals", (proposal) => ({
    ...proposal,
    id: id(proposal.id),
    profileId,
    contentHash: `\\x${createHash("sha256").update(proposal.content).digest("hex")}`,
    reviewedBy: proposal.reviewedBy === archive.profile.did ? did : proposal.reviewedBy,
    imported: true,
  }));
  await copy("memories", ({ proposalId, ...memory }) => ({
    ...memory,
    id: id(memory.id),
    profileId,
    proposalId: proposalId === null ? null : id(proposalId),
  }));
  await copy("revisions", (revision) => ({ ...revision, memoryId: id(revision.memoryId) }));
  await copy("consentRequests", (one) => ({ ...one, id: id(one.id), profileId }));
  await copy("inquiries", (one) => ({ ...one, subjectId: id(one.subjectId), profileId }));
  await copy("receipts", (receipt) => ({
    ...receipt,
    id: id(receipt.id),
    profileId,
    revokedAt: receipt.revokedAt ?? now,
  }));
}

/** Part of the same transaction, once it has locked the profile: writes the rest, and checks the whole. */
export async function insertRest(
  tx: Tx,
  { renewed, ...given }: Omit<Inserting, "did"> & { renewed: Renewed },
): Promise<void> {
  const { profileId, archive, switchPoliciesOn, now } = given;
  const id: Ids = (old) => renewed.get(old) ?? old;
  const copy = copierOf(tx, { archive, renewed });
  // The type and the version stay as they are: only an admin sets them.
  await tx.$executeRaw`UPDATE "Profile" SET common = ${JSON.stringify(archive.profile.common)}::jsonb, "updatedAt" = ${now}, revision = revision + 1 WHERE id = ${profileId}`;
  await copy("namedValues", (value) => ({ ...value, profileId, updatedAt: now }));
  await closeRules(tx, given);
  await copy("policies", ({ consentRequestId: request, ...policy }) => ({
    ...policy,
    id: id(policy.id),
    profileId,
    // A rule that only denies opens nothing, and takes effect at once.
    enabled: policy.enabled && (switchPoliciesOn || policy.allow.length === 0),
    consentRequestId: request === null ? null : id(request),
    updatedAt: now,
  }));
  // Checks the profile's limits once everything is there.
  await refuseManyCategories(tx, { profileId, path: "memories" });
  await keepBounds(tx, { profileId, now });
}

// Closes rules that were chosen for an empty profile. Denials stay.
async function closeRules(
  tx: Tx,
  { profileId, switchPoliciesOn, now }: Omit<Inserting, "did" | "archive">,
): Promise<void> {
  const opens = { profileId, allow: { isEmpty: false } };
  const fromTemplate = { ...opens, origin: "template" as const };
  const goes = switchPoliciesOn
    ? fromTemplate
    : { ...opens, permissions: { has: "read" as const } };
  const rules = await switchOff(tx, { ...goes, now });
  if (switchPoliciesOn) await tx.policy.deleteMany({ where: fromTemplate });
  await keepDenied(tx, { profileId, now, rules });
  await notifyAgents(tx, now, { policies: rules.map(({ id }) => id) });
}

type Ids = (id: string) => string;
type Stored<List extends PackedList> = (row: PackedRows[List]) => object;

interface Renewing {
  list: PackedList;
  rows: object[];
  renewed: Renewed;
}

// An archive that comes back beside the profile it was made of has only ids that are taken.
async function renewTaken(tx: Tx, { list, rows, renewed }: Renewing): Promise<void> {
  const prefix = prefixes[list];
  if (prefix === null) return;
  const taken = await tx.$queryRaw<
    { id: string }[]
  >`SELECT id FROM ${tables[list]} WHERE id = ANY(${rows.map((row) => Reflect.get(row, "id"))}::text[])`;
  for (const { id } of taken) renewed.set(id, newId(prefix));
}

async function insertRows(tx: Tx, list: PackedList, rows: object[]): Promise<void> {
  const table = tables[list];
  const names = columns[list];
  await tx.$executeRaw`INSERT INTO ${table} (${names})
    SELECT ${names} FROM jsonb_populate_recordset(NULL::${table}, ${JSON.stringify(rows)}::jsonb)`;
}

const tables = {
  namedValues: Prisma.sql`"NamedValue"`,
  proposals: Prisma.sql`"Proposal"`,
  memories: Prisma.sql`"Memory"`,
  revisions: Prisma.sql`"MemoryRevision"`,
  consentRequests: Prisma.sql`"ConsentRequest"`,
  inquiries: Prisma.sql`"Inquiry"`,
  policies: Prisma.sql`"Policy"`,
  receipts: Prisma.sql`"Receipt"`,
} satisfies Record<PackedList, Prisma.Sql>;

/** The prefix of a list's ids; null if its rows have none. */
const prefixes = {
  namedValues: null,
  proposals: "prop",
  memories: "mem",
  revisions: null,
  consentRequests: "creq",
  inquiries: null,
  policies: "pol",
  receipts: "rcpt",
} as const satisfies Record<PackedList, string | null>;

const purpose = Prisma.sql`"purposeType", "purposeDescription", "legalBasis", retention`;
const columns = {
  namedValues: Prisma.sql`"profileId", category, name, value, "updatedAt"`,
  proposals: Prisma.sql`id, "profileId", "agentDid", content, "contentHash", category, confidence, context, status,
    "proposedAt", "expiresAt", "reviewedAt", "reviewedBy", reason, imported`,
  memories: Prisma.sql`id, "profileId", category, content, confidence, source, "agentDid", "proposalId", "createdAt",
    "updatedAt", "archivedAt", "deletedAt"`,
  revisions: Prisma.sql`"memoryId", category, content, confidence, cause, "archivedAt", "createdAt"`,
  consentRequests: Prisma.sql`id, "profileId", "agentDid", scopes, ${purpose}, status, "grantedScopes", "timesAsked",
    "requestedAt", "decidedAt"`,
  inquiries: Prisma.sql`"subjectId", "profileId", "agentDid", question, "askedAt", answer, "answeredAt"`,
  policies: Prisma.sql`id, "profileId", "agentPattern", "verifiedOnly", allow, deny, permissions, purposes,
    "maxRetention", "receiptSeconds", enabled, "expiresAt", origin, "consentRequestId", "createdAt", "updatedAt"`,
  receipts: Prisma.sql`id, "profileId", "agentDid", "grantedScopes", "deniedScopes", ${purpose}, "grantedAt",
    "expiresAt", "revokedAt"`,
} satisfies Record<PackedList, Prisma.Sql>;
