import { z } from "zod";
import { PublicKey } from "@/lib/auth/keys/public-key";
import { agentDid, parseDid } from "@/lib/protocol/did";
import { text } from "@/lib/protocol/resources";

const nameOfDid = /^[A-Za-z0-9._-]{1,64}$/;

/** Parses what a person types for an agent: its DID, or a name from which the gateway makes one. */
export function registerForm(namespace: string) {
  return z.object({
    name: text({ min: 1, max: 100 }),
    description: optional(500),
    operator: optional(200),
    did: z
      .string()
      .trim()
      .transform((typed) => (nameOfDid.test(typed) ? agentDid(namespace, typed) : typed))
      .refine(
        (did) => parseDid(did)?.kind === "agent",
        "Must be a name of letters, digits, dots, dashes and underscores, or a whole DID of an agent.",
      ),
    publicKey: PublicKey,
  });
}

// A field that was left empty says nothing.
function optional(max: number) {
  return z
    .string()
    .transform((typed) => (typed.trim() === "" ? undefined : typed))
    .pipe(text({ max }).optional());
}
