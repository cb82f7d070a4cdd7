import { z } from "zod";
import { readPublicKey } from "@/lib/auth/keys/public-key";
import { parseJsonText } from "@/lib/http/json-text";

/** A public key as people paste it, in any of the forms that a registration takes. */
export const TypedKey = z
  .string()
  .max(4_000)
  .transform((typed, context): Buffer => {
    const publicKey = readPublicKey(givenIn(typed));
    if (publicKey !== null) return publicKey;
    const isPrivate = /PRIVATE KEY|"d"\s*:/.test(typed);
    const message = isPrivate
      ? "This is a private key: keep it to yourself, and make a new pair if it was ever shown. Paste the public one."
      : "Paste an Ed25519 public key: PEM, JWK, did:key or base64 of 32 bytes.";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

function givenIn(typed: string): unknown {
  if (!typed.trim().startsWith("{")) return typed;
  const read = parseJsonText(typed);
  // A private key in JWK has the public one in it, but was not meant to be sent.
  const isPublic = "value" in read && !Object.hasOwn(Object(read.value), "d");
  return isPublic ? read.value : null;
}
