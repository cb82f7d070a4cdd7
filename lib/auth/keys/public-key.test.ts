import { describe, expect, test } from "vitest";
import vectors from "@/lib/protocol/vectors/signature.json";
import { jwkOf, multibaseOf, PublicKey, readPublicKey } from "./public-key";

const { key, publicKeys } = vectors;
const raw = Buffer.from(key.publicKeyHex, "hex");

describe("one key, in every form it may be registered in", () => {
  test.each([
    ["SPKI PEM", key.publicKeySpkiPem],
    ["JWK", key.publicKeyJwk],
    ["JWK as text", JSON.stringify(key.publicKeyJwk, null, 4)],
    ["JWK with the usual members", { ...key.publicKeyJwk, kid: "one", use: "sig", alg: "EdDSA" }],
    [
      "SPKI PEM with CRLF and empty lines",
      `\r\n${key.publicKeySpkiPem.replaceAll("\n", "\r\n")}\r\n\r\n`,
    ],
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
    ["a JWK with the private part", key.privateKeyJwk],
    ["a JWK with the private part as text", JSON.stringify(key.privateKeyJwk)],
    ["a JWK as text that is cut short", JSON.stringify(key.publicKeyJwk).slice(0, -1)],
    ["a PEM without an end", key.publicKeySpkiPem.trim().slice(0, -5)],
    ["a PEM of nothing", "-----BEGIN PUBLIC KEY----------END PUBLIC KEY-----"],
    ["a PEM whose two lines are one", "-----BEGIN PUBLIC KEY-----END PUBLIC KEY-----"],
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

describe("a text that is longer than a key can be", () => {
  test.each([
    ["a PEM of spaces", (length: number) => `-----BEGIN PUBLIC KEY-----${" ".repeat(length)}!`],
    ["a JWK with a long x", (length: number) => ({ ...key.publicKeyJwk, x: "A".repeat(length) })],
    ["a key behind spaces", (length: number) => `${" ".repeat(length)}${key.publicKeyMultibase}`],
    ["a long did:key", (length: number) => `did:key:z${"6".repeat(length)}`],
    ["base64", (length: number) => "A".repeat(length)],
  ])("%s of 64 KiB is refused within a millisecond", (_name, write) => {
    const given = write(64 * 1_024);
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now();
      expect(PublicKey.safeParse(given).success).toBe(false);
      return performance.now() - began;
    });
    expect(Math.min(...times)).toBeLessThan(1);
  });
});

describe("messages of refusals", () => {
  const messageOf = (given: unknown) => PublicKey.safeParse(given).error?.issues[0]?.message;

  test.each([
    ["a PEM", key.privateKeyPkcs8Pem],
    ["a JWK", key.privateKeyJwk],
    ["a JWK as text", JSON.stringify(key.privateKeyJwk)],
    ["the base64 of a PEM", key.privateKeyPkcs8Pem.split("\n")[1]],
    ["multibase", "z3u2RDpgFe6Voz19gxWsBkueKj6XiuC9w1bSBT4FTowsWk6A"],
    [
      "a private key that is longer than a public one can be",
      `-----BEGIN RSA PRIVATE KEY-----\n${"A".repeat(1_700)}`,
    ],
  ])("of a private key in %s that it was sent, and to make a new one", (_name, given) => {
    expect(messageOf(given)).toMatch(
      /^This is a private key\. It was not stored.*make a new key pair/,
    );
  });

  test.each([undefined, null, 7, [], "", "AAAA"])("of %j which forms there are", (given) => {
    expect(messageOf(given)).toMatch(/^Must be an Ed25519 public key: SPKI PEM, JWK/);
  });
});
