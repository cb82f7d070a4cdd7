import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import vectors from "@/lib/protocol/vectors/signature.json";
import { chooseVerifier, verifier } from "./verification";

const { key, publicKeys, requests, forgery } = vectors;
const raw = Buffer.from(key.publicKeyHex, "hex");

const order = 2n ** 252n + 27742317777372353535851937790883648493n;
const prime = 2n ** 255n - 19n;
const texts = Array.from({ length: 16 }, (_none, index) => Buffer.from(`text ${index}`));

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
const bytesOf = (number: bigint) =>
  Buffer.from(number.toString(16).padStart(64, "0"), "hex").reverse();

/** A number and the point it stands for: what a private key is, and the nonce of a signature. */
function scalarAndPoint(seed: number) {
  const bytes = Buffer.alloc(32, seed);
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), bytes]);
  const secret = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(secret).export({ format: "der", type: "spki" });
  const half = numberOf(createHash("sha512").update(bytes).digest().subarray(0, 32));
  const scalar = (half & ((2n ** 254n - 1n) & ~7n)) | (2n ** 254n);
  return { scalar, point: spki.subarray(-32) };
}

/** The point with the one of order two added, (0, −1): both coordinates change their signs. */
function plusOrderTwo(point: Uint8Array): Buffer {
  const number = numberOf(point);
  const y = number & (2n ** 255n - 1n);
  return bytesOf((prime - y) | ((1n - (number >> 255n)) << 255n));
}

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

  test.each(publicKeys.smallOrder)(
    "never holds under a key of small order, where S·B = R: $description",
    ({ hex }) => {
      const { scalar, point } = scalarAndPoint(1);
      const signature = Buffer.concat([point, bytesOf(scalar % order)]);
      const held = texts.filter((text) => verifies(Buffer.from(hex, "hex"), text, signature));
      expect(held).toEqual([]);
    },
  );

  test.each([0, 32, 63, 65, 128])("a signature of %d bytes does not hold", (length) => {
    expect(verifies(raw, Buffer.from("any text"), Buffer.alloc(length))).toBe(false);
  });

  test("a signature has one form: with the group's order added to S it does not hold", () => {
    const [request] = requests;
    const bytes = Buffer.from(request?.signature ?? "", "base64");
    const other = bytesOf(numberOf(bytes.subarray(32)) + order);
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

test("both say the same of a key, or an R, to which a point of order two was added", () => {
  const [key, nonce] = [scalarAndPoint(1), scalarAndPoint(2)];
  for (const publicKey of [key.point, plusOrderTwo(key.point)]) {
    for (const r of [nonce.point, plusOrderTwo(nonce.point)]) {
      const said = texts.map((text) => {
        const digest = createHash("sha512")
          .update(Buffer.concat([r, publicKey, text]))
          .digest();
        const s = (nonce.scalar + (numberOf(digest) % order) * key.scalar) % order;
        const signature = Buffer.concat([r, bytesOf(s)]);
        return [libsodium, openssl].map(({ verifies }) => verifies(publicKey, text, signature));
      });
      expect(said.map(([first]) => first)).toEqual(said.map(([, second]) => second));
      // Of an R that is off, under a key that is not, no text makes up for it.
      if (publicKey === key.point) {
        expect(new Set(said.flat())).toEqual(new Set([r === nonce.point]));
      }
    }
  }
});
