import type { Nonce, Signing } from "@/lib/engine/counters/counters";
import type { Engine } from "@/lib/engine/engine";
import { parseAuthorization, type TokenCredential } from "@/lib/protocol/authorization-header";
import { forbidden, unauthorized } from "@/lib/protocol/errors";
import type { QueryPair } from "@/lib/protocol/signature";
import type { Caller } from "@/lib/rules/may";
import { hashSecretToken } from "@/lib/services/accounts/secret-token";
import { findTokenHolder, type LimitOverrides } from "@/lib/services/agents/signers";
import { hasChecksum } from "@/lib/services/tokens/connection-token";
import { checkSignature } from "./signed-request";

/** The caller, and what admission needs to know about them. */
export interface Authenticated {
  caller: Caller;
  /** The key that limits are counted under. Protocol 7. */
  account: string;
  limits: LimitOverrides;
  /** The nonce of a signature; tokens have none. */
  nonce?: Nonce;
  signer: Signing;
}

export interface AuthRequest {
  engine: Engine;
  now: Date;
  method: string;
  /** The path's, decoded. */
  segments: readonly string[];
  query: readonly QueryPair[];
  authority: string;
  authorization: string | null;
  body: Uint8Array<ArrayBuffer>;
  /** Of an entry point that takes the tokens of clients, and nothing else. */
  resource?: string;
}

/** Protocol 2: header, timestamp, key, signature. The nonce is claimed later, with the limit. */
export async function authenticate(presented: AuthRequest): Promise<Authenticated> {
  const credential = parseAuthorization(presented.authorization ?? "");
  if (credential === null) throw unauthorized();
  if (presented.resource !== undefined && credential.scheme !== "token") throw unauthorized();
  return credential.scheme === "token"
    ? checkToken(presented, credential)
    : checkSignature(presented, credential);
}

async function checkToken(
  { engine, now, resource }: AuthRequest,
  { token }: TokenCredential,
): Promise<Authenticated> {
  if (!hasChecksum(token)) throw unauthorized();
  const tokenHash = Buffer.from(hashSecretToken(token));
  const holder = await findTokenHolder(engine.pool, { tokenHash, now, resource });
  if (holder === null || holder.agentState === "pending") throw unauthorized();
  if (holder.agentState === "suspended") throw forbidden("This agent is suspended.");
  const { agentDid: did, tokenId, profileDid, scopes, permissions, ofClient, limits } = holder;
  return {
    caller: { kind: "token", did, tokenId, profileDid, scopes, permissions, ofClient },
    account: `${did}|${holder.profileId}`,
    limits,
    signer: { did, revision: null },
  };
}
