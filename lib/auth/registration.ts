import { z } from "zod";
import type { Nonce } from "@/lib/engine/counters/counters";
import { parseAuthorization } from "@/lib/protocol/authorization-header";
import { Did, parseDid } from "@/lib/protocol/did";
import { invalidRequest, issuesIn, unauthorized } from "@/lib/protocol/errors";
import { text } from "@/lib/protocol/resources";
import type { Presented } from "./authenticate";
import { multibaseOf, readPublicKey } from "./keys/public-key";
import { checkTimestamp, signingKey } from "./signed-request";

/** An agent that brings its own key. */
export const Registration = z.object({
  did: Did.refine((did) => parseDid(did)?.kind === "agent", "Must be the DID of an agent."),
  name: text({ min: 1, max: 100 }),
  publicKey: z.unknown().transform((given, context): Buffer => {
    const publicKey = readPublicKey(given);
    if (publicKey !== null) return publicKey;
    const message = "Must be an Ed25519 public key: SPKI PEM, JWK, did:key or base64 of 32 bytes.";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }),
  description: text({ max: 500 }).optional(),
  operator: text({ max: 200 }).optional(),
});
export type Registration = z.output<typeof Registration>;

/**
 * Proof of possession: the same header and the same text as everywhere, under the key in the body. The
 * nonce is used up for that key and not for the DID, which need not be the sender's.
 */
export function checkRegistration(
  presented: Presented,
  parseBody: () => unknown,
): { registration: Registration; nonce: Nonce } {
  const credential = parseAuthorization(presented.authorization ?? "");
  if (credential?.scheme !== "signature") throw unauthorized();
  const until = checkTimestamp(presented, credential);
  const parsed = Registration.safeParse(parseBody());
  if (!parsed.success) throw invalidRequest(issuesIn("body", parsed.error));
  const { data: registration } = parsed;
  if (signingKey([registration.publicKey], presented, credential) === null) throw unauthorized();
  if (registration.did !== credential.did) {
    const message = "Must be the DID in the Authorization header.";
    throw invalidRequest([{ path: "body.did", message }]);
  }
  const holder = `did:key:${multibaseOf(registration.publicKey)}`;
  return { registration, nonce: { did: holder, value: credential.nonce, until } };
}
