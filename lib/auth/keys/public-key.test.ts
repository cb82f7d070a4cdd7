import { describe, expect, test } from "vitest";
import vectors from "@/lib/protocol/vectors/signature.json";
import { jwkOf, multibaseOf, readPublicKey } from "./public-key";

const { key, publicKeys } = vectors;
const raw = Buffer.from(key.publicKeyHex, "hex");

describe("one key, in every form it may be registered in", () => {
  test.each([
    ["SPKI PEM", key.publicKeySpkiPem],
    ["JWK", key.publicKeyJwk],
    ["did:key", key.publicKeyDidKey],
    ["multibase", key.publicKeyMultibase],
    ["raw, base64", raw.toString("base64")],
    ["raw, base64url without padding", raw.toString("base64url")],
  ])("%s", (_name, given) => {
    expect(readPublicKey(given)?.equals(raw)).toBe(true);
  });
});

test("a key is written as multibase and as JWK", () => {
  expect(multibaseOf(raw)).toBe(key.publicKeyMultibase);
  expect(jwkOf(raw)).toEqual(key.publicKeyJwk);
});

describe("refused at registration", () => {
  const weak = [
    ...publicKeys.smallOrder,
    ...publicKeys.nonCanonical,
    ...publicKeys.notOnCurve,
    ...publicKeys.wrongLength,
  ];
  test.each(weak)("$description", ({ hex }) => {
    expect(readPublicKey(Buffer.from(hex, "hex").toString("base64"))).toBeNull();
  });

  test("all fourteen encodings of small order are among them", () => {
    expect(new Set(publicKeys.smallOrder.map(({ hex }) => hex)).size).toBe(14);
  });

  test.each([
    ["nothing", undefined],
    ["a number", 7],
    ["an empty text", ""],
    ["a private key", key.privateKeyPkcs8Pem],
    ["another curve", { ...key.publicKeyJwk, crv: "X25519" }],
    ["another key type", { ...key.publicKeyJwk, kty: "EC" }],
    ["a JWK with x of the wrong length", { ...key.publicKeyJwk, x: "AAAA" }],
    ["a PEM with bytes behind the key", key.publicKeySpkiPem.replace("MCow", "MCsw")],
    ["base64 that does not re-encode", `${raw.toString("base64").slice(0, -2)}~=`],
    ["31 bytes", raw.subarray(1).toString("base64")],
    [
      "a did:key of another multicodec",
      "did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme",
    ],
  ])("%s", (_name, given) => {
    expect(readPublicKey(given)).toBeNull();
  });
});
