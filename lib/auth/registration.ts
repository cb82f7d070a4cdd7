import { z } from "zod";
import type { Nonce } from "@/lib/engine/counters/counters";
import { parseAuthorization, type SignatureCredential } from "@/lib/protocol/authorization-header";
import { Did, parseDid } from "@/lib/protocol/did";
import { invalidRequest, issuesIn, unauthorized } from "@/lib/protocol/errors";
import { text } from "@/lib/protocol/resources";
import type { AuthRequest } from "./authenticate";
import { multibaseOf, PublicKey } from "./keys/public-key";
import { checkTimestamp, isSignedBy } from "./signed-request";

/** An agent that brings its own key. */
export const Registration = z.object({
  did: Did.refine((did) => parseDid(did)?.kind === "agent", "Must be the DID of an agent."),
  name: text({ min: 1, max: 100 }),
  publicKey: PublicKey,
  description: text({ max: 500 }).optional(),
  operator: text({ max: 200 }).optional(),
});
export type Registration = z.output<typeof Registration>;

type Claim = SignatureCredential & Pick<Nonce, "until">;

/** Parses the header of a registration: checks form and time, not the signature. */
export function readRegistrationHeader(presented: AuthRequest): Claim {
  const credential = parseAuthorization(presented.authorization ?? "");
  if (credential?.scheme !== "signature") throw unauthorized();
  return { ...credential, until: checkTimestamp(presented, credential) };
}

/**
 * Proof of possession: the same header and the same text as everywhere, under the key in the body. The
 * nonce is used up for that key and not for the DID, which need not be the sender's.
 */
export function checkRegistration(
  presented: AuthRequest,
  claim: Claim,
  body: unknown,
): { registration: Registration; nonce: Nonce } {
  const parsed = Registration.safeParse(body);
  if (!parsed.success) throw invalidRequest(issuesIn("body", parsed.error));
  const { data: registration } = parsed;
  if (!isSignedBy(registration.publicKey, presented, claim)) throw unauthorized();
  if (registration.did !== claim.did) {
    const message = "Must be the DID in the Authorization header.";
    throw invalidRequest([{ path: "body.did", message }]);
  }
  const did = `did:key:${multibaseOf(registration.publicKey)}`;
  return { registration, nonce: { did, value: claim.nonce, until: claim.until } };
}
