import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";

/** Where the floor does one verification, and nothing else, before it refuses. */
export const verificationPath = "/verification";

/** One Ed25519 verification of a text as long as those that agents sign, each time it is called. */
export function verification(): () => boolean {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
  const text = Buffer.alloc(300, "a");
  const signature = sign(null, text, privateKey);
  return () => verify(null, text, key, signature);
}
