import type { Revisions } from "@/lib/engine/counters/counters";
import type { Pool, Tx } from "@/lib/engine/db";
import { cachedAtRevision } from "@/lib/engine/load/revision-cache";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { batched } from "@/lib/engine/query-batcher";
import type { ProfileType } from "@/lib/protocol/answers/profile";
import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import type { Category } from "@/lib/protocol/scope";
import type { Facts, Policy, Receipt } from "@/lib/rules/facts";
import type { Caller, ProfileFact } from "@/lib/rules/may";
import { type ClientReach, clientReach } from "./access/client-reach";
import { categoriesOf } from "./categories";
import type { Ctx } from "./context";
import {
  heldReceipts,
  type PolicyLists,
  policiesOf,
  policyLists,
  receiptJson,
  receiptOf,
  type StoredReceipt,
} from "./policies/stored";

/** A profile's row, with the facts about it for one agent. */
export interface ProfileRow extends ProfileFact {
  id: number;
  profileType: ProfileType;
  version: string;
  common: Record<string, unknown>;
  /** As of which all of this was read. */
  revision: string;
  /** If requested: the categories of live memories and named values. */
  categories: Category[] | null;
  /** If requested: the authority of the caller, for `hold_authority`. Null if it has ended. */
  authority: string | null;
}

export interface ProfileFacts {
  profile: ProfileRow;
  facts: Facts | null;
}

interface Row extends Omit<ProfileRow, "did"> {
  did: Did;
  agent: {
    verified: boolean;
    ceiling: string[];
    revision: string;
    reach: ClientReach | null;
  } | null;
  policies: PolicyLists;
  receipts: StoredReceipt[];
}

export interface FactsInput {
  profileDid: string;
  /** The caller, or an agent whose view is previewed. */
  caller: Caller | { kind: "agent"; did: Did };
  now: Date;
  wants?: Wants;
  /** Where the agent does not exist yet: as it would begin. */
  asNewcomer?: boolean;
}

/** Optional parts that only some verbs need. */
export interface Wants {
  categories: boolean;
  authority: boolean;
}

const nothing: Wants = { categories: false, authority: false };

/** Loads everything that decisions depend on, in one statement. `facts` is null for callers that are no agents. */
export async function loadFacts(db: Pool | Tx, input: FactsInput): Promise<ProfileFacts> {
  return factsFrom(await readFacts(db, input), input);
}

/** Loads facts for an agent's request, cached by revision. Facts behind a write are read each time. */
export async function knownFacts(
  ctx: Ctx,
  { profileDid, wants }: { profileDid: string; wants: Wants },
): Promise<ProfileFacts> {
  const { caller, now } = ctx;
  const input = { profileDid, caller, now, wants };
  const agentDid = agentOf(caller);
  const stored = await cachedAtRevision(ctx.cache, {
    what: ["facts", profileDid, agentDid, wants],
    revision: wants.authority ? undefined : revisionOf(ctx.revisions, agentDid),
    read: () => readFacts(ctx.pool, input),
    revisionOf: ({ profile: { revision: profile }, agent }) =>
      `${revisionOf({ profile, signer: agent?.revision ?? null }, agentDid)}`,
    bytesOf,
    isGood: ({ until }) => now.getTime() < until,
  });
  return factsFrom(stored, input);
}

function revisionOf(revisions: Revisions | undefined, agentDid: Did | null): string | undefined {
  if (revisions === undefined) return undefined;
  return agentDid === null ? `${revisions.profile}` : `${revisions.profile} ${revisions.signer}`;
}

interface Stored {
  profile: ProfileRow;
  agent: Row["agent"];
  policies: Policy[];
  receipts: Receipt[];
  /** When the first of them ends. */
  until: number;
}

async function readFacts(db: Pool | Tx, input: FactsInput): Promise<Stored> {
  const { profileDid, caller, now, wants = nothing } = input;
  const agentDid = agentOf(caller);
  const load = wants.categories ? factsWithCategories : factsOf;
  const credential = credentialOf(caller);
  const row = await load(db, { profileDid, agentDid, credential, now, wants });
  if (row === undefined) throw notFound("profile");
  const { agent, policies: lists, receipts: held, ...profile } = row;
  const policies = policiesOf(lists);
  const receipts = agentDid === null ? [] : held.map((receipt) => receiptOf(receipt, agentDid));
  const ends = [...policies, ...receipts].flatMap(({ expiresAt }) => expiresAt?.getTime() ?? []);
  const clientEnds = agent?.reach?.until == null ? [] : [Date.parse(agent.reach.until)];
  return { profile, agent, policies, receipts, until: Math.min(...ends, ...clientEnds) };
}

const newcomer = { verified: false, ceiling: ["prof:*"], reach: null };

function factsFrom(
  { profile, agent, ...held }: Stored,
  { caller, now, asNewcomer = false }: FactsInput,
): ProfileFacts {
  const did = agentOf(caller);
  const known = agent ?? (asNewcomer ? newcomer : null);
  if (did === null || known === null) return { profile: { ...profile }, facts: null };
  const { verified, ceiling, reach } = known;
  const { policies, receipts } = held;
  const token = caller.kind === "token" ? caller : reach;
  const facts = {
    agent: { did, verified, ceiling },
    policies,
    receipts,
    token,
    purpose: null,
    now,
  };
  return { profile: { ...profile }, facts };
}

function agentOf(caller: FactsInput["caller"]): Did | null {
  return caller.kind === "agent" || caller.kind === "token" ? caller.did : null;
}

// An estimate of its size in memory.
function bytesOf({ profile, policies, receipts }: Stored): number {
  const scopes = [...policies.flatMap(({ allow, deny }) => [...allow, ...deny])];
  const categories = profile.categories ?? [];
  const lists = 100 * (scopes.length + categories.length);
  return JSON.stringify(profile.common).length + lists + 500 * (policies.length + receipts.length);
}

/** Returns the credential that identified a caller of the protocol. */
export function credentialOf(caller: FactsInput["caller"]): Credential {
  return {
    did: "did" in caller ? caller.did : null,
    key: "publicKey" in caller ? Buffer.from(caller.publicKey).toString("hex") : null,
    token: caller.kind === "token" ? caller.tokenId : null,
  };
}

interface Credential {
  did: Did | null;
  key: string | null;
  token: string | null;
}

type RowInput = {
  profileDid: string;
  agentDid: string | null;
  credential: Credential;
  now: Date;
  wants: Wants;
};

const factsStatement = (categories: Prisma.Sql) => (input: RowInput[]) =>
  Prisma.sql`
    SELECT asked.place, p.revision::text AS revision, p.id, p.did, p."ownerId", p.state, p."profileType", p.version, p.common,
      ${categories} AS categories,
      CASE WHEN asked."wantsAuthority"
        THEN authority_of(p.id, asked.did, asked.key, asked.token, asked.now) END AS authority,
      (SELECT json_build_object('verified', a.verified, 'ceiling', a.ceiling, 'revision', a.revision::text,
           'reach', ${clientReach({ profileId: Prisma.sql`p.id`, now: Prisma.sql`asked.now` })})
         FROM "Agent" a WHERE a.did = asked."agentDid") AS agent,
      (SELECT ${policyLists()} FROM "Policy" l
         WHERE l."profileId" = p.id AND l.enabled AND asked."agentDid" IS NOT NULL
           AND (l."expiresAt" IS NULL OR l."expiresAt" > asked.now)) AS policies,
      (SELECT coalesce(json_agg(${receiptJson}), '[]')
         FROM (${heldReceipts({
           profileId: Prisma.sql`p.id`,
           agentDid: Prisma.sql`asked."agentDid"`,
           now: Prisma.sql`asked.now`,
         })}) r) AS receipts
    FROM unnest((SELECT ${input.map(({ profileDid }) => profileDid)}::text[]), (SELECT ${input.map(({ agentDid }) => agentDid)}::text[]), (SELECT ${input.map(({ now }) => now)}::timestamptz[]), (SELECT ${input.map(({ wants }) => wants.authority)}::bool[]),
        (SELECT ${input.map(({ credential }) => credential.did)}::text[]), (SELECT ${input.map(({ credential }) => credential.key)}::text[]), (SELECT ${input.map(({ credential }) => credential.token)}::text[])) WITH ORDINALITY
      AS asked ("profileDid", "agentDid", now, "wantsAuthority", did, key, token, place)
    CROSS JOIN LATERAL (SELECT * FROM "Profile" WHERE did = asked."profileDid" LIMIT 1) p`;

const factsOf = batched<RowInput, Row>({
  name: "facts",
  keyOf: ({ profileDid }) => profileDid,
  sql: factsStatement(Prisma.sql`NULL`),
});

// A profile may have very many categories, so only those who need them wait for them.
const factsWithCategories = batched<RowInput, Row>({
  name: "facts-with-categories",
  batchMax: 8,
  quickBatchMax: 32,
  keyOf: ({ profileDid }) => profileDid,
  sql: factsStatement(categoriesOf(Prisma.sql`p.id`)),
});
