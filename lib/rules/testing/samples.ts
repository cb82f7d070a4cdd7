import type { Facts, Policy, Receipt } from "../facts";

export const now = new Date("2026-03-01T12:00:00.000Z");
export const iris = "did:prof:agent:local:iris";

export function secondsFromNow(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000);
}

/** A policy that counts for every agent and allows nothing, apart from what is said. */
export function policyOf(parts: Partial<Policy> = {}): Policy {
  return {
    id: "pol_1",
    agentPattern: "did:prof:agent:*:*",
    verifiedOnly: false,
    allow: [],
    deny: [],
    permissions: ["read"],
    purposes: [],
    maxRetention: null,
    receiptSeconds: null,
    enabled: true,
    expiresAt: null,
    origin: "owner",
    ...parts,
  };
}

/** A live receipt of iris for everything, apart from what is said. */
export function receiptOf(parts: Partial<Receipt> = {}): Receipt {
  return {
    id: "rcpt_1",
    agentDid: iris,
    grantedScopes: ["prof:*"],
    purposeType: "personalization",
    retention: "session_only",
    grantedAt: secondsFromNow(-3_600),
    expiresAt: secondsFromNow(82_800),
    revokedAt: null,
    ...parts,
  };
}

/** Iris, unverified, without a ceiling, at a profile with no policies, apart from what is said. */
export function factsOf({
  agent,
  ...parts
}: Partial<Omit<Facts, "agent">> & { agent?: Partial<Facts["agent"]> } = {}): Facts {
  return {
    agent: { did: iris, verified: false, ceiling: ["prof:*"], ...agent },
    policies: [],
    receipts: [],
    token: null,
    purpose: null,
    now,
    ...parts,
  };
}
