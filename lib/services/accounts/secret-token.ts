import { createHash } from "node:crypto";
import { randomBase62 } from "@/lib/engine/random";

// A value that its holder shows and we only recognise: 256 bits, of which the database has the hash.
export interface Opaque {
  token: string;
  tokenHash: Uint8Array<ArrayBuffer>;
}

export function createSecretToken(): Opaque {
  const token = randomBase62(43);
  return { token, tokenHash: hashSecretToken(token) };
}

export function hashSecretToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}

/** Returns the front door's name for a session. */
export function seenAs(token: string): string {
  return Buffer.from(hashSecretToken(token)).toString("base64");
}
