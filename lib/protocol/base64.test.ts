import { describe, expect, it } from "vitest";
import { decodeBase64, encodeBase64, encodeBase64Url } from "./base64";
import { base64 as vectors } from "./vectors/signature.json";

describe("both alphabets are read, padded or not", () => {
  it.each(vectors.valid)("$description", ({ text, hex }) => {
    expect(Buffer.from(decodeBase64(text) ?? "none").toString("hex")).toBe(hex);
  });
});

describe("refuses texts that do not re-encode to themselves", () => {
  it.each(vectors.invalid)("$description", ({ text }) => {
    expect(decodeBase64(text)).toBeNull();
  });
});

it.each([
  ["A-Za-z0-9+/", "base64"],
  ["A-Za-z0-9_-", "base64url"],
] as const)(
  "of short texts in %s exactly those are read that re-encode to themselves",
  (of, name) => {
    const letters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const alphabet = letters.filter((letter) => new RegExp(`[${of}]`).test(letter));
    expect(alphabet).toHaveLength(64);
    for (const start of alphabet) {
      for (const end of alphabet) {
        for (const text of [start + end, `A${start}${end}`]) {
          const back = Buffer.from(text, name).toString(name).replaceAll("=", "");
          expect([text, decodeBase64(text) !== null]).toEqual([text, back === text]);
        }
      }
    }
  },
);

it("every byte survives both encodings", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
  expect(encodeBase64Url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
  expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
  expect(decodeBase64(encodeBase64Url(bytes))).toEqual(bytes);
});
