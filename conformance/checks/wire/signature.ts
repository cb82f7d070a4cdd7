import { generateKeyPairSync } from "node:crypto";
import { endpoints } from "@/lib/protocol/endpoints";
import { randomNonce, signerOf } from "@/lib/protocol/signature";
import type { Check } from "../../check";
import { claim, refused, succeeded } from "../../expect";
import type { Kit, Outgoing, SignedParts } from "../../kit";
import { profilePath, reviewPath } from "../../state";

const covered = "Protocol 2, The text that is signed";
const decoder = "Protocol 2, sig: what does not re-encode to what was sent is refused";

type Signed = Partial<SignedParts>;
type Row = [id: string, what: string, signed: (kit: Kit) => Signed | Promise<Signed>];

const otherThanSent: Row[] = [
  ["method", "another method", () => ({ method: "POST" })],
  ["authority", "another gateway", () => ({ authority: "another.gateway.example" })],
  ["path", "another path", (kit) => ({ target: profilePath(kit, "/memories?limit=1") })],
  ["query-value", "another value in the query", (kit) => ({ target: listPath(kit, "2") })],
  ["query-missing", "no query", (kit) => ({ target: profilePath(kit, "/proposals") })],
  ["query-added", "one more parameter", (kit) => ({ target: `${listPath(kit)}&offset=0` })],
  ["body", "a body that was not sent", () => ({ body: new TextEncoder().encode("{}") })],
  ["ts", "another ts", () => ({ text: swapped(5, new Date(Date.now() - 1_000).toISOString()) })],
  ["nonce", "another nonce", () => ({ text: swapped(6, randomNonce()) })],
  ["prefix", "another first line", () => ({ text: swapped(0, "PROF-Signature-v2") })],
  ["newline", "a newline at the end", () => ({ text: (text) => `${text}\n` })],
  ["key", "a key that nobody registered", async () => ({ signer: await strangersSigner() })],
];

const invalidSignatures: [id: string, what: string, cites: string, sig: (sig: string) => string][] =
  [
    ["flipped", "with one bit changed", "Spec, Authentication 5", flipped],
    [
      "zeros",
      "of 64 zero bytes",
      "Spec, Authentication 5",
      () => Buffer.alloc(64).toString("base64"),
    ],
    ["short", "of 63 bytes", decoder, (sig) => resized(sig, 63)],
    ["long", "of 65 bytes", decoder, (sig) => resized(sig, 65)],
    ["alphabet", "with a character outside base64", decoder, (sig) => `!${sig.slice(1)}`],
    ["spare-bits", "whose spare bits are not zero", decoder, (sig) => sig.replace(/.==$/, "B==")],
    ["padding", "with too much padding", decoder, (sig) => `${sig}=`],
  ];

export const signature: Check[] = [
  ...otherThanSent.map(
    ([id, what, signed]): Check => ({
      id: `signature.covers.${id}`,
      sentence: `A signature made over ${what} is 401 PROF001.`,
      cites: covered,
      run: async (kit) => {
        refused(await list(kit, { signed: await signed(kit) }), "PROF001");
      },
    }),
  ),
  {
    id: "signature.covers.body-changed",
    sentence: "A body changed by one byte after it was signed is 401 PROF001.",
    cites: covered,
    run: async (kit) => {
      const signed = { body: new TextEncoder().encode('{"action":"reject" }') };
      const outgoing = { method: "POST", target: reviewPath(kit), body: '{"action":"approve"}' };
      refused(await kit.call({ ...outgoing, signed }), "PROF001");
    },
  },
  {
    id: "signature.covers.did",
    sentence: "A signature sent under another DID is 401 PROF001.",
    cites: "Spec, Authentication 2",
    run: async (kit) => {
      refused(await list(kit, { signed: { did: kit.options.userDid } }), "PROF001");
    },
  },
  ...invalidSignatures.map(
    ([id, what, cites, sig]): Check => ({
      id: `signature.refuses.${id}`,
      sentence: `A signature ${what} is 401 PROF001.`,
      cites,
      run: async (kit) => {
        refused(await list(kit, { signed: { sig } }), "PROF001");
      },
    }),
  ),
  ...(
    [
      ["unpadded", "base64 without padding", (sig: string) => sig.replace(/=+$/, "")],
      ["url-safe", "base64url", (sig: string) => sig.replaceAll("+", "-").replaceAll("/", "_")],
    ] as const
  ).map(
    ([id, what, sig]): Check => ({
      id: `signature.accepts.${id}`,
      sentence: `A signature in ${what} is accepted.`,
      cites: "Protocol 2, sig",
      run: async (kit) => {
        succeeded(await list(kit, { signed: { sig } }), endpoints.listProposals);
      },
    }),
  ),
  ...(
    [
      [
        "colon",
        "with the DID's colons as they are",
        (kit: Kit) => listPath(kit).replaceAll("%3A", ":"),
      ],
      ["percent", "with the DID's colons percent-encoded", (kit: Kit) => listPath(kit)],
      [
        "lower-hex",
        "with percent-encodings in lower case",
        (kit: Kit) => listPath(kit).replaceAll("%3A", "%3a"),
      ],
      [
        "query-order",
        "with a query that is not sorted",
        (kit: Kit) => `${listPath(kit)}&offset=0&aside=%61`,
      ],
      [
        "query-empty",
        "with a question mark and no query",
        (kit: Kit) => profilePath(kit, "/proposals?"),
      ],
    ] as const
  ).map(
    ([id, what, target]): Check => ({
      id: `signature.canonical.${id}`,
      sentence: `A target ${what} is signed in its canonical form.`,
      cites: "Protocol 2, canonical path and canonical query",
      run: async (kit) => {
        succeeded(await kit.call({ target: target(kit) }), endpoints.listProposals);
      },
    }),
  ),
  {
    id: "signature.accepts.body",
    sentence: "A signed body arrives: its SHA-256 is the eighth line.",
    cites: covered,
    run: async (kit) => {
      const body = { action: "approve", note: "ü, 雪 and 🦉" };
      const reply = await kit.call({ method: "POST", target: reviewPath(kit), body });
      claim(reply.status !== 401, "a signed request was not accepted", reply);
    },
  },
  {
    id: "signature.accepts.user",
    sentence: "A user's DID signs like an agent's.",
    cites: "Protocol 1, Keys belong to a DID, agent or user",
    needs: ["userKey"],
    run: async (kit) => {
      succeeded(await list(kit, { as: "user" }), endpoints.listProposals);
    },
  },
];

function listPath(kit: Kit, limit = "1"): string {
  return profilePath(kit, `/proposals?limit=${limit}`);
}

function list(kit: Kit, more: Partial<Outgoing>) {
  return kit.call({ target: listPath(kit), ...more });
}

function swapped(line: number, value: string): (text: string) => string {
  return (text) => text.split("\n").with(line, value).join("\n");
}

function flipped(sig: string): string {
  const bytes = Buffer.from(sig, "base64");
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  return bytes.toString("base64");
}

function resized(sig: string, length: number): string {
  return Buffer.concat([Buffer.from(sig, "base64"), Buffer.alloc(1)], length).toString("base64");
}

function strangersSigner() {
  return signerOf(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }));
}
