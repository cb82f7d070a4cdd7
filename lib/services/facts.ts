import type { Pool, Tx } from "@/lib/engine/db";
import { gathered } from "@/lib/engine/gathered";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import type { ProfileType } from "@/lib/protocol/resources";
import type { Category } from "@/lib/protocol/scope";
import type { Facts, Policy, Receipt } from "@/lib/rules/facts";
import type { Caller, ProfileFact } from "@/lib/rules/may";
import { categoriesOf } from "./categories";

/** A profile's own row, and what decides over it for one agent. */
export interface ProfileRow extends ProfileFact {
  id: number;
  profileType: ProfileType;
  version: string;
  common: Record<string, unknown>;
  /** Where they were asked for: those that live memories or named values lie in. */
  categories: Category[] | null;
  /** Where it was asked for: what the caller's authority rests on, for `hold_authority`. Null if it has ended. */
  authority: string | null;
}

export interface ProfileFacts {
  profile: ProfileRow;
  facts: Facts | null;
}

interface Row extends Omit<ProfileRow, "did"> {
  did: Did;
  agent: { verified: boolean; ceiling: string[] } | null;
  policies: PolicyLists;
  receipts: StoredReceipt[];
}

type StoredPolicy = Omit<Policy, "expiresAt"> & { expiresAt: string | null };
/** All policies' ids, all their patterns …: PostgreSQL writes these in half the time that it takes one by one. */
export type PolicyLists = { [Member in keyof StoredPolicy]: StoredPolicy[Member][] };
export type StoredReceipt = Omit<Receipt, "grantedAt" | "expiresAt" | "revokedAt" | "agentDid"> & {
  grantedAt: string;
  expiresAt: string;
};

export interface FactsInput {
  profileDid: string;
  /** The caller, or an agent whose view somebody else looks at. */
  caller: Caller | { kind: "agent"; did: Did };
  now: Date;
  wants?: Wants;
}

/** What only some verbs ask for, beside the facts. */
export interface Wants {
  categories: boolean;
  authority: boolean;
}

const nothing: Wants = { categories: false, authority: false };

/** Everything that a decision may depend on, in one statement. `facts` is null for who is no agent. */
export async function loadFacts(db: Pool | Tx, input: FactsInput): Promise<ProfileFacts> {
  const { profileDid, caller, now, wants = nothing } = input;
  const agentDid = caller.kind === "agent" || caller.kind === "token" ? caller.did : null;
  const load = wants.categories ? factsWithCategories : factsOf;
  const credential = credentialOf(caller);
  const row = await load(db, { profileDid, agentDid, credential, now, wants });
  if (row === undefined) throw notFound("profile");
  const { agent, policies, receipts, ...profile } = row;
  if (agentDid === null || agent === null) return { profile, facts: null };
  return {
    profile,
    facts: {
      agent: { did: agentDid, ...agent },
      policies: policiesOf(policies),
      receipts: receipts.map((receipt) => receiptOf(receipt, agentDid)),
      token: caller.kind === "token" ? caller : null,
      purpose: null,
      now,
    },
  };
}

/** What a caller of the protocol was recognised by. */
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

export function policiesOf(lists: PolicyLists): Policy[] {
  return lists.id.map((id, place) => {
    const memberOf = <T>(list: T[]) => list[place] as T;
    const expiresAt = memberOf(lists.expiresAt);
    return {
      id,
      agentPattern: memberOf(lists.agentPattern),
      verifiedOnly: memberOf(lists.verifiedOnly),
      allow: memberOf(lists.allow),
      deny: memberOf(lists.deny),
      permissions: memberOf(lists.permissions),
      purposes: memberOf(lists.purposes),
      maxRetention: memberOf(lists.maxRetention),
      receiptSeconds: memberOf(lists.receiptSeconds),
      enabled: memberOf(lists.enabled),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
      origin: memberOf(lists.origin),
    };
  });
}

export function receiptOf(
  { grantedAt, expiresAt, ...receipt }: StoredReceipt,
  agentDid: Did,
): Receipt {
  return {
    ...receipt,
    agentDid,
    grantedAt: new Date(grantedAt),
    expiresAt: new Date(expiresAt),
    revokedAt: null,
  };
}

/** Of all `"Policy" l`, PolicyLists. */
export const policyLists = (order = Prisma.empty) => Prisma.sql`json_build_object(
  'id', coalesce(json_agg(l.id ${order}), '[]'),
  'agentPattern', coalesce(json_agg(l."agentPattern" ${order}), '[]'),
  'verifiedOnly', coalesce(json_agg(l."verifiedOnly" ${order}), '[]'),
  'allow', coalesce(json_agg(l.allow ${order}), '[]'),
  'deny', coalesce(json_agg(l.deny ${order}), '[]'),
  'permissions', coalesce(json_agg(l.permissions ${order}), '[]'),
  'purposes', coalesce(json_agg(l.purposes ${order}), '[]'),
  'maxRetention', coalesce(json_agg(l."maxRetention" ${order}), '[]'),
  'receiptSeconds', coalesce(json_agg(l."receiptSeconds" ${order}), '[]'),
  'enabled', coalesce(json_agg(l.enabled ${order}), '[]'),
  'expiresAt', coalesce(json_agg(l."expiresAt" ${order}), '[]'),
  'origin', coalesce(json_agg(l.origin ${order}), '[]'))`;

/** Of `"Receipt" r`, a StoredReceipt. */
export const receiptJson = Prisma.sql`json_build_object(
  'id', r.id, 'grantedScopes', r."grantedScopes", 'purposeType', r."purposeType",
  'retention', r.retention, 'grantedAt', r."grantedAt", 'expiresAt', r."expiresAt")`;

// Each is weighed at each request. An agent with more that differ asks again for what an older one opened.
const receiptsMax = 100;
const receiptScopesMax = 1_000;

type ReceiptsOf = Record<"profileId" | "agentDid" | "now", Prisma.Sql>;

/** Selects the receipts that count for one agent: of those that open the same for the same, the newest. */
export const heldReceipts = ({ profileId, agentDid, now }: ReceiptsOf) => Prisma.sql`
  -- The order within says which index: while there are hardly any, that of all of a profile's receipts looks as
  -- good to the planner.
  SELECT r.*
  FROM (SELECT r.*, sum(cardinality(r."grantedScopes")) OVER (ORDER BY r."grantedAt" DESC, r.id) AS scopes
        FROM (SELECT DISTINCT ON (r."grantedScopes", r."purposeType", r.retention) r.*
              FROM (SELECT * FROM "Receipt"
                    WHERE "profileId" = ${profileId} AND "agentDid" = ${agentDid}
                      AND "revokedAt" IS NULL AND "expiresAt" > ${now}
                    ORDER BY "expiresAt" DESC) r
              ORDER BY r."grantedScopes", r."purposeType", r.retention, r."grantedAt" DESC) r
        ORDER BY r."grantedAt" DESC, r.id LIMIT ${receiptsMax}) r
  WHERE r.scopes <= ${receiptScopesMax}`;

type RowInput = {
  profileDid: string;
  agentDid: string | null;
  credential: Credential;
  now: Date;
  wants: Wants;
};

const factsStatement = (categories: Prisma.Sql) => (input: RowInput[]) =>
  Prisma.sql`
    SELECT asked.place, p.id, p.did, p."ownerId", p.state, p."profileType", p.version, p.common,
      ${categories} AS categories,
      CASE WHEN asked."wantsAuthority"
        THEN authority_of(p.id, asked.did, asked.key, asked.token, asked.now) END AS authority,
      (SELECT json_build_object('verified', a.verified, 'ceiling', a.ceiling)
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

const factsOf = gathered<RowInput, Row>({
  name: "facts",
  keyOf: ({ profileDid }) => profileDid,
  sql: factsStatement(Prisma.sql`NULL`),
});

// A profile may have very many: nobody waits for that who does not want them.
const factsWithCategories = gathered<RowInput, Row>({
  name: "facts-with-categories",
  batchMax: 8,
  quickBatchMax: 32,
  keyOf: ({ profileDid }) => profileDid,
  sql: factsStatement(categoriesOf(Prisma.sql`p.id`)),
});
