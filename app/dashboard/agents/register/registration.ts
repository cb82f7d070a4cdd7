import { z } from "zod";
import { PublicKey } from "@/lib/auth/keys/public-key";
import { engine } from "@/lib/engine/engine";
import { agentDid, parseDid } from "@/lib/protocol/did";
import { text } from "@/lib/protocol/resources";

const nameOfDid = /^[A-Za-z0-9._-]{1,64}$/;

/** What a person types for an agent: its DID, or a name from which the gateway makes one. */
export const Registration = z.object({
  name: text({ min: 1, max: 100 }),
  description: optional(500),
  operator: optional(200),
  did: z
    .string()
    .trim()
    .transform((typed) => (nameOfDid.test(typed) ? didOf(typed) : typed))
    .refine(
      (did) => parseDid(did)?.kind === "agent",
      "Must be a name of letters, digits, dots, dashes and underscores, or a whole DID of an agent.",
    ),
  publicKey: PublicKey,
});

function didOf(name: string): string {
  return agentDid(engine().settings.values().PROF_NAMESPACE, name);
}

// A field that was left empty says nothing.
function optional(max: number) {
  return z
    .string()
    .transform((typed) => (typed.trim() === "" ? undefined : typed))
    .pipe(text({ max }).optional());
}
