import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import vectors from "@/lib/protocol/vectors/signature.json";
import { chooseVerifier, verifier } from "./verification";

const { key, publicKeys, requests, forgery } = vectors;
const raw = Buffer.from(key.publicKeyHex, "hex");

const failing = (code: string) => () =>
  Promise.reject(Object.assign(new Error("Cannot load"), { code }));
const libsodium = await chooseVerifier();
const openssl = await chooseVerifier(failing("ADDON_NOT_FOUND"));

describe("which one verifies", () => {
  test("libsodium, where it has a build", () => {
    expect([verifier.name, libsodium.name]).toEqual(["libsodium", "libsodium"]);
  });

  test.each(["ADDON_NOT_FOUND", "CANNOT_LOAD"])("OpenSSL, where it has none: %s", async (code) => {
    expect((await chooseVerifier(failing(code))).name).toBe("OpenSSL");
  });

  test("neither, where something else is wrong", async () => {
    await expect(chooseVerifier(failing("ERR_MODULE_NOT_FOUND"))).rejects.toThrow("Cannot load");
  });
});

describe.each([libsodium, openssl])("$name", ({ verifies }) => {
  test.each(requests)("holds: $description", ({ canonicalText, signature }) => {
    const bytes = Buffer.from(signature, "base64");
    expect(verifies(raw, Buffer.from(canonicalText), bytes)).toBe(true);
  });

  test("does not hold for another text", () => {
    const [request] = requests;
    const bytes = Buffer.from(request?.signature ?? "", "base64");
    expect(verifies(raw, Buffer.from(`${request?.canonicalText} `), bytes)).toBe(false);
  });

  test("never holds under a weak key, although one signature would fit every text", () => {
    const weak = Buffer.from(forgery.publicKeyHex, "hex");
    const signature = Buffer.from(forgery.signature, "base64");
    expect(verifies(weak, Buffer.from("any text"), signature)).toBe(false);
  });

  test.each([
    ...publicKeys.smallOrder,
    ...publicKeys.nonCanonical,
    ...publicKeys.notOnCurve,
    ...publicKeys.wrongLength,
  ])("never holds under a key that could not be registered: $description", ({ hex }) => {
    // With S = 0 and the neutral element for R, whatever the text where the key is of small order.
    const signature = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]);
    for (const text of ["", "a", "b", "c", "d", "e", "f", "g"]) {
      expect(verifies(Buffer.from(hex, "hex"), Buffer.from(text), signature)).toBe(false);
    }
  });

  test.each([0, 32, 63, 65, 128])("a signature of %d bytes does not hold", (length) => {
    expect(verifies(raw, Buffer.from("any text"), Buffer.alloc(length))).toBe(false);
  });

  test("a signature has one form: with the group's order added to S it does not hold", () => {
    const [request] = requests;
    const bytes = Buffer.from(request?.signature ?? "", "base64");
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString("hex")}`) + order;
    const other = Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse();
    const text = Buffer.from(request?.canonicalText ?? "");
    expect(verifies(raw, text, Buffer.concat([bytes.subarray(0, 32), other]))).toBe(false);
  });
});

test("both say the same of what any signer made, and of what one bit was changed in", () => {
  const property = fc.property(
    fc.uint8Array({ maxLength: 300 }),
    fc.nat({ max: 8 * 64 - 1 }),
    (bytes, bit) => {
      const { publicKey, privateKey } = generateKeyPairSync("ed25519");
      const x = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
      const text = Buffer.from(bytes);
      const signature = sign(null, text, privateKey);
      const changed = Buffer.from(signature);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      for (const { verifies } of [libsodium, openssl]) {
        expect([signature, changed].map((one) => verifies(x, text, one))).toEqual([true, false]);
      }
    },
  );
  fc.assert(property, { numRuns: 300, seed: 7 });
});
