import { crc32 } from "node:zlib";
import { base62 } from "@/lib/engine/random";
import { createSecretToken, hashSecretToken } from "../accounts/secret-token";

// Protocol 3: profct_<43 random base62 characters><6 base62 characters of their CRC-32>. The checksum lets
// scanners find leaked tokens, and us refuse mistyped ones without the database.

const prefix = "profct_";
const checksumLength = 6;

export function mintConnectionToken(): { token: string; tokenHash: Uint8Array<ArrayBuffer> } {
  const chance = createSecretToken().token;
  const token = `${prefix}${chance}${checksum(chance)}`;
  return { token, tokenHash: hashSecretToken(token) };
}

export function hasChecksum(token: string): boolean {
  const chance = token.slice(prefix.length, -checksumLength);
  return token.endsWith(checksum(chance));
}

function checksum(chance: string): string {
  let rest = crc32(chance);
  let digits = "";
  for (let place = 0; place < checksumLength; place++) {
    digits = (base62[rest % 62] ?? "") + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
