import { randomBytes } from "node:crypto";

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// `prop_`, `mem_`, … and 22 characters: 131 bits, so that ids never meet and cannot be guessed.
export function newId<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
  return `${prefix}_${randomBase62(22)}`;
}

export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of bytes(length)) {
      // 248 = 4 × 62: a byte above it would favour the first characters.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

// Asking the generator costs much more than what it gives; each byte is given out once.
const stockBytes = 4_096;
let stock = randomBytes(0);

function bytes(count: number): Buffer {
  if (stock.length < count) stock = randomBytes(Math.max(count, stockBytes));
  const taken = stock.subarray(0, count);
  stock = stock.subarray(count);
  return taken;
}
