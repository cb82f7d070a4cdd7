import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import type { Policy, Receipt } from "@/lib/rules/facts";

// Rules and receipts as one JSON value, for statements that read many at once.

type StoredPolicy = Omit<Policy, "expiresAt"> & { expiresAt: string | null };
/** All policies' ids, all their patterns …: PostgreSQL writes these in half the time that it takes one by one. */
export type PolicyLists = { [Member in keyof StoredPolicy]: StoredPolicy[Member][] };
export type StoredReceipt = Omit<Receipt, "grantedAt" | "expiresAt" | "revokedAt" | "agentDid"> & {
  grantedAt: string;
  expiresAt: string;
};

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

/** The columns of PolicyLists from all `"Policy" l`. */
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

/** The members of a StoredReceipt from `"Receipt" r`. */
export const receiptJson = Prisma.sql`json_build_object(
  'id', r.id, 'grantedScopes', r."grantedScopes", 'purposeType', r."purposeType",
  'retention', r.retention, 'grantedAt', r."grantedAt", 'expiresAt', r."expiresAt")`;

// Each is checked at every request. An agent with more of them asks again for what an older one opened.
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
