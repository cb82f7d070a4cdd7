import { describe, expect, it } from "vitest";
import { formatSignature, formatToken, parseAuthorization } from "./authorization-header";
import { encodeBase64 } from "./base64";
import { signatureHeaders, tokenHeaders } from "./vectors/signature.json";

describe("a signature header is read", () => {
  it.each(signatureHeaders.valid)("$description", ({ header, did, signatureHex, ts, nonce }) => {
    const signature = Uint8Array.from(Buffer.from(signatureHex, "hex"));
    expect(parseAuthorization(header)).toEqual({ scheme: "signature", did, signature, ts, nonce });
  });
});

describe("a signature header with any fault is refused", () => {
  it.each(signatureHeaders.invalid)("$description", ({ header }) => {
    expect(parseAuthorization(header)).toBeNull();
  });
});

describe("a connection token is read", () => {
  it.each(tokenHeaders.valid)("$description", ({ header, token }) => {
    expect(parseAuthorization(header)).toEqual({ scheme: "token", token });
  });
});

describe("a token header with any fault is refused", () => {
  it.each(tokenHeaders.invalid)("$description", ({ header }) => {
    expect(parseAuthorization(header)).toBeNull();
  });
});

it("what is formatted is read back", () => {
  const signature = new Uint8Array(64).fill(7);
  const parts = { did: "did:prof:agent:local:iris", ts: "2030-01-31T12:00:00Z", nonce: "12345678" };
  const header = formatSignature({ ...parts, sig: encodeBase64(signature) });
  expect(parseAuthorization(header)).toEqual({ scheme: "signature", signature, ...parts });
  const token = `profct_${"a".repeat(49)}`;
  expect(parseAuthorization(formatToken(token))).toEqual({ scheme: "token", token });
});
