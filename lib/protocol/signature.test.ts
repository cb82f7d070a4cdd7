import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decodeBase64 } from "./base64";
import {
  authorityOf,
  canonicalPath,
  canonicalQuery,
  canonicalText,
  decodePath,
  decodeQuery,
  isNonce,
  isSoundPublicKey,
  parseTimestamp,
  randomNonce,
  sha256Hex,
  signerOf,
} from "./signature";
import vectors from "./vectors/signature.json";

const { key } = vectors;
const publicKey = createPublicKey(key.publicKeySpkiPem);

type Received = {
  method: string;
  authority: string;
  target: string;
  body: string;
  ts: string;
  nonce: string;
};

async function textOf({ target, body, ...request }: Received): Promise<string> {
  const [rawPath = "", rawQuery = ""] = target.split("?");
  return canonicalText({
    ...request,
    path: canonicalPath(decodePath(rawPath) ?? []),
    query: canonicalQuery(decodeQuery(rawQuery) ?? []),
    bodySha256: await sha256Hex(new TextEncoder().encode(body)),
  });
}

function holds(text: string, signature: string): boolean {
  return verify(null, Buffer.from(text), publicKey, decodeBase64(signature) ?? Buffer.alloc(0));
}

describe("the signed text of a request, and its signature, are exactly these", () => {
  it.each(vectors.requests)(
    "$description",
    async ({ canonicalText: text, signature, ...request }) => {
      expect(authorityOf(request.baseUrl)).toBe(request.authority);
      expect(await textOf(request)).toBe(text);
      const signer = await signerOf(key.privateKeyJwk);
      expect(Buffer.from(await signer(new TextEncoder().encode(text))).toString("base64")).toBe(
        signature,
      );
      expect(holds(text, signature)).toBe(true);
    },
  );
});

describe("a signature does not hold for a request that differs", () => {
  it.each(vectors.badSignatures.cases)("$description", async ({ signature, ...request }) => {
    expect(holds(await textOf(request), signature)).toBe(false);
  });
});

it("the published key is the same in every form", async () => {
  const x = Buffer.from(key.publicKeyHex, "hex");
  expect(createPublicKey({ key: key.publicKeyJwk, format: "jwk" }).equals(publicKey)).toBe(true);
  expect(createPublicKey(createPrivateKey(key.privateKeyPkcs8Pem)).equals(publicKey)).toBe(true);
  expect(decodeBase64(key.publicKeyJwk.x)).toEqual(Uint8Array.from(x));
  expect(decodeBase64(key.publicKeyBase64)).toEqual(Uint8Array.from(x));
  expect(decodeBase64(key.privateKeyJwk.d)).toEqual(
    Uint8Array.from(Buffer.from(key.seedHex, "hex")),
  );
  expect(key.publicKeyDidKey).toBe(`did:key:${key.publicKeyMultibase}`);
});

it("a signer takes PKCS #8 bytes as well", async () => {
  const der = createPrivateKey(key.privateKeyPkcs8Pem).export({ type: "pkcs8", format: "der" });
  const signer = await signerOf(Uint8Array.from(der));
  const bytes = new TextEncoder().encode("text");
  const expected = sign(null, bytes, createPrivateKey(key.privateKeyPkcs8Pem));
  expect(Buffer.from(await signer(bytes))).toEqual(expected);
});

describe("a path has one canonical form", () => {
  it.each(vectors.paths.valid)("$description", ({ raw, segments, canonical }) => {
    expect(decodePath(raw)).toEqual(segments);
    expect(canonicalPath(segments)).toBe(canonical);
  });
});

describe("a path that could be read in two ways is refused", () => {
  it.each(vectors.paths.invalid)("$description", ({ raw }) => {
    expect(decodePath(raw)).toBeNull();
  });
});

describe("a query has one canonical form", () => {
  it.each(vectors.queries.valid)("$description", ({ raw, pairs, canonical }) => {
    const decoded = decodeQuery(raw);
    expect(decoded).toEqual(pairs);
    expect(canonicalQuery(decoded ?? [])).toBe(canonical);
  });

  it.each(vectors.queries.valid)(
    "which is its own canonical form: $description",
    ({ canonical }) => {
      expect(canonicalQuery(decodeQuery(canonical) ?? [])).toBe(canonical);
    },
  );

  it.each(vectors.queries.valid)(
    "and URLSearchParams reads it the same way: $description",
    (query) => {
      expect([...new URLSearchParams(query.raw)]).toEqual(query.pairs);
    },
  );
});

describe("a query that is not well-formed is refused", () => {
  it.each(vectors.queries.invalid)("$description", ({ raw }) => {
    expect(decodeQuery(raw)).toBeNull();
  });
});

describe("a timestamp is read", () => {
  it.each(vectors.timestamps.valid)("$description", ({ ts, epochMs }) => {
    expect(parseTimestamp(ts)).toBe(epochMs);
  });
});

describe("any other form of timestamp, or no real date, is refused", () => {
  it.each(vectors.timestamps.invalid)("$description", ({ ts }) => {
    expect(parseTimestamp(ts)).toBeNull();
  });
});

describe("a nonce is 8 to 128 characters of its alphabet", () => {
  it.each(vectors.nonces.valid)("$description", ({ nonce }) => expect(isNonce(nonce)).toBe(true));
  it.each(vectors.nonces.invalid)("not $description", ({ nonce }) =>
    expect(isNonce(nonce)).toBe(false),
  );
});

it("a random nonce is a nonce, and a new one each time", () => {
  expect(isNonce(randomNonce())).toBe(true);
  expect(randomNonce()).not.toBe(randomNonce());
});

describe("a sound public key is taken", () => {
  it.each(vectors.publicKeys.valid)("$description", ({ hex }) => {
    expect(isSoundPublicKey(Buffer.from(hex, "hex"))).toBe(true);
  });
});

describe("a weak or malformed public key is refused", () => {
  const { smallOrder, nonCanonical, notOnCurve, wrongLength } = vectors.publicKeys;

  it("all fourteen encodings of small order are known", () => {
    expect(new Set(smallOrder.map(({ hex }) => hex)).size).toBe(14);
  });

  it.each([...smallOrder, ...nonCanonical, ...notOnCurve, ...wrongLength])(
    "$description",
    ({ hex }) => {
      expect(isSoundPublicKey(Buffer.from(hex, "hex"))).toBe(false);
    },
  );

  it("the key that one forged signature fits for every text", () => {
    expect(isSoundPublicKey(Buffer.from(vectors.forgery.publicKeyHex, "hex"))).toBe(false);
  });
});
