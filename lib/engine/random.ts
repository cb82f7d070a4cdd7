import { randomBytes } from "node:crypto";

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// `prop_`, `mem_`, … and 22 characters: 131 bits, so that ids never meet and cannot be guessed.
export function newId<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
  return `${prefix}_${randomBase62(22)}`;
}

export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = nextByte();
    // 248 = 4 × 62: a byte above it would favour the first characters.
    if (byte < 248) text += base62[byte % 62];
  }
  return text;
}

// A call of the generator costs more than its bytes; each byte is used once.
let stock = randomBytes(4_096);
let given = 0;

function nextByte(): number {
  if (given === stock.length) {
    stock = randomBytes(stock.length);
    given = 0;
  }
  return stock[given++] as number;
}
