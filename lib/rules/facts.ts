import type { Did } from "@/lib/protocol/did";
import type { Purpose } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";

export type Permission = "read" | "propose";

export type PolicyOrigin = "owner" | "template" | "consent" | "token" | "quarantine";

/** The pattern that matches every agent. Defined here because pages need it too. */
export const everyAgent = "did:prof:agent:*:*";

/** Protocol 5. Conditions narrow what is allowed; a deny always applies. */
export type Policy = {
  id: string;
  agentPattern: string;
  verifiedOnly: boolean;
  allow: readonly Scope[];
  deny: readonly Scope[];
  permissions: readonly Permission[];
  purposes: readonly string[];
  maxRetention: string | null;
  receiptSeconds: number | null;
  enabled: boolean;
  expiresAt: Date | null;
  origin: PolicyOrigin;
};

export type Receipt = {
  id: string;
  agentDid: Did;
  grantedScopes: readonly Scope[];
  purposeType: string;
  retention: string | null;
  grantedAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
};

export type TokenReach = {
  scopes: readonly Scope[];
  permissions: readonly Permission[];
  /** Of a client that the owner connected: what it asks for beyond its scopes, the owner may add to them. */
  ofClient?: boolean;
};

/** Everything that a decision may depend on: one agent and one profile at one moment. */
export type Facts = {
  agent: { did: Did; verified: boolean; ceiling: readonly Scope[] };
  policies: readonly Policy[];
  receipts: readonly Receipt[];
  token: TokenReach | null;
  /** The purpose of an access request; null for other requests. */
  purpose: Pick<Purpose, "type" | "retention"> | null;
  now: Date;
};
