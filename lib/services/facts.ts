import type { Pool } from "pg";
import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import type { ProfileType } from "@/lib/protocol/resources";
import type { Facts, Policy, Receipt } from "@/lib/rules/facts";
import type { Caller, ProfileFact } from "@/lib/rules/may";

/** A profile's own row, and what decides over it for one agent. */
export interface ProfileRow extends ProfileFact {
  id: number;
  profileType: ProfileType;
  version: string;
  common: Record<string, unknown>;
}

export interface ProfileFacts {
  profile: ProfileRow;
  facts: Facts | null;
}

interface Row extends Omit<ProfileRow, "did"> {
  did: Did;
  agent: { verified: boolean; ceiling: string[] } | null;
  policies: (Omit<Policy, "expiresAt"> & { expiresAt: string | null })[];
  receipts: (Omit<Receipt, "grantedAt" | "expiresAt" | "revokedAt" | "agentDid"> & {
    grantedAt: string;
    expiresAt: string;
  })[];
}

export interface FactsAsked {
  profileDid: string;
  caller: Caller;
  now: Date;
}

/** Everything that a decision may depend on, in one statement. `facts` is null for who is no agent. */
export async function loadFacts(pool: Pool, asked: FactsAsked): Promise<ProfileFacts> {
  const { profileDid, caller, now } = asked;
  const agentDid = caller.kind === "agent" || caller.kind === "token" ? caller.did : null;
  const { rows } = await pool.query<Row>({
    name: "facts",
    text: factsStatement,
    values: [profileDid, agentDid, now],
  });
  const [row] = rows;
  if (row === undefined) throw notFound("profile");
  const { agent, policies, receipts, ...profile } = row;
  if (agentDid === null || agent === null) return { profile, facts: null };
  return {
    profile,
    facts: {
      agent: { did: agentDid, ...agent },
      policies: policies.map((policy) => ({ ...policy, expiresAt: dateOf(policy.expiresAt) })),
      receipts: receipts.map((receipt) => ({
        ...receipt,
        agentDid,
        grantedAt: new Date(receipt.grantedAt),
        expiresAt: new Date(receipt.expiresAt),
        revokedAt: null,
      })),
      token: caller.kind === "token" ? caller : null,
      purpose: null,
      now,
    },
  };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

const factsStatement = `
  SELECT p.id, p.did, p."ownerId", p.state, p."profileType", p.version, p.common,
    (SELECT jsonb_build_object('verified', a.verified, 'ceiling', a.ceiling)
       FROM "Agent" a WHERE a.did = $2) AS agent,
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
         'id', l.id, 'agentPattern', l."agentPattern", 'verifiedOnly', l."verifiedOnly",
         'allow', l.allow, 'deny', l.deny, 'permissions', l.permissions, 'purposes', l.purposes,
         'maxRetention', l."maxRetention", 'receiptSeconds', l."receiptSeconds",
         'enabled', l.enabled, 'expiresAt', l."expiresAt", 'origin', l.origin)), '[]')
       FROM "Policy" l WHERE l."profileId" = p.id AND l.enabled AND $2::text IS NOT NULL) AS policies,
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
         'id', r.id, 'grantedScopes', r."grantedScopes", 'purposeType', r."purposeType",
         'retention', r.retention, 'grantedAt', r."grantedAt", 'expiresAt', r."expiresAt")), '[]')
       FROM "Receipt" r WHERE r."profileId" = p.id AND r."agentDid" = $2
         AND r."revokedAt" IS NULL AND r."expiresAt" > $3) AS receipts
  FROM "Profile" p WHERE p.did = $1`;
