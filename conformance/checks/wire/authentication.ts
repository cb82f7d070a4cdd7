import { crc32 } from "node:zlib";
import { endpoints } from "@/lib/protocol/endpoints";
import type { Check } from "../../check";
import { claim, refused, succeeded } from "../../expect";
import type { HeaderParts, Kit, Outgoing } from "../../kit";
import { noProposal, profilePath, unknownDid } from "../../state";

const missing = "Spec, Authentication 5";
const grammar = "Protocol 2, Header grammar";

const withoutCredentials = Object.values(endpoints).map(
  ({ name, method, path, body }): Check => ({
    id: `authentication.none.${name}`,
    sentence: `${method} ${path} without credentials is 401 PROF001.`,
    cites: missing,
    run: async (kit) => {
      const target = path
        .replace("{did}", encodeURIComponent(kit.options.userDid))
        .replace("{proposalId}", noProposal);
      const sent = body === null ? undefined : {};
      refused(await kit.call({ as: "nobody", method, target, body: sent }), "PROF001");
    },
  }),
);

type Header = (parts: HeaderParts) => string;

const acceptedHeaders: [id: string, what: string, header: Header][] = [
  ["scheme-lower", "the scheme's name in lower case", (p) => join(p).replace("PROF-", "prof-")],
  [
    "scheme-upper",
    "the scheme's name in upper case",
    (p) => join(p).replace("Signature", "SIGNATURE"),
  ],
  [
    "order",
    "the parts in another order",
    ({ did, sig, ts, nonce }) => join({ nonce, ts, sig, did }),
  ],
  [
    "white-space",
    "white space around = and ,",
    (p) =>
      join(p)
        .replace(/\b(did|sig|ts|nonce)="/g, '$1 = "')
        .replaceAll(", ", " , "),
  ],
  ["no-white-space", "no white space at all", (p) => join(p).replaceAll(", ", ",")],
  ["unknown-part", "a part that nobody knows", (p) => `${join(p)}, keyid="1"`],
];

const refusedHeaders: [id: string, what: string, header: Header][] = [
  ...(["did", "sig", "ts", "nonce"] as const).flatMap((name): [string, string, Header][] => [
    [`without-${name}`, `no ${name}`, (parts) => join({ ...parts, [name]: undefined })],
    [`empty-${name}`, `an empty ${name}`, (parts) => join({ ...parts, [name]: "" })],
    [`two-${name}`, `${name} twice`, (parts) => `${join(parts)}, ${name}="${parts[name]}"`],
  ]),
  ["unquoted", "values without quotes", (parts) => join(parts).replaceAll('"', "")],
  ["no-comma", "no commas between the parts", (parts) => join(parts).replaceAll(",", "")],
  ["scheme-only", "nothing after the scheme", () => "PROF-Signature"],
  ["too-long", "more than 4 KiB", (parts) => `${join(parts)}, keyid="${"k".repeat(4_096)}"`],
  ["basic", "another scheme", () => "Basic YWxpY2U6c2VjcmV0"],
  ["not-a-did", "a did that is none", (parts) => join({ ...parts, did: "iris" })],
];

const invalidTokens: [id: string, what: string, token: string][] = [
  ["token-form", "a connection token of another form", "profct_abc"],
  ["token-checksum", "a connection token with a wrong checksum", `profct_${"0".repeat(49)}`],
  ["token-unknown", "a well-formed connection token that nobody issued", unknownToken()],
];

export const authentication: Check[] = [
  ...withoutCredentials,
  ...acceptedHeaders.map(
    ([id, what, header]): Check => ({
      id: `authentication.accepts.${id}`,
      sentence: `An Authorization header with ${what} is accepted.`,
      cites: grammar,
      run: async (kit) => {
        succeeded(await list(kit, { signed: { header } }), endpoints.listProposals);
      },
    }),
  ),
  ...refusedHeaders.map(
    ([id, what, header]): Check => ({
      id: `authentication.refuses.${id}`,
      sentence: `An Authorization header with ${what} is 401 PROF001.`,
      cites: grammar,
      run: async (kit) => {
        refused(await list(kit, { signed: { header } }), "PROF001");
      },
    }),
  ),
  ...invalidTokens.map(
    ([id, what, token]): Check => ({
      id: `authentication.refuses.${id}`,
      sentence: `${what[0]?.toUpperCase()}${what.slice(1)} is 401 PROF001.`,
      cites: "Protocol 3, Expired, revoked, unknown",
      run: async (kit) => {
        const headers = { Authorization: `Bearer ${token}` };
        refused(await list(kit, { as: "nobody", headers }), "PROF001");
      },
    }),
  ),
  {
    id: "authentication.refuses.two-headers",
    sentence: "Two Authorization headers are 401 PROF001, though each would do.",
    cites: grammar,
    run: async (kit) => {
      let header = "";
      const keep: Header = (parts) => {
        header = join(parts);
        return header;
      };
      await list(kit, { signed: { header: keep } });
      const headers = { Authorization: [header, header] };
      refused(await list(kit, { as: "nobody", headers }), "PROF001");
    },
  },
  {
    id: "authentication.one-answer",
    sentence: "An unknown DID gets the same answer as a wrong signature, word for word.",
    cites: "Protocol 1, Agent states",
    run: async (kit) => {
      const did = `did:prof:agent:local:nobody-${kit.run}`;
      const unknown = refused(await list(kit, { signed: { did } }), "PROF001");
      const text = (canonical: string) => `${canonical}.`;
      const wrong = refused(await list(kit, { signed: { text } }), "PROF001");
      claim(JSON.stringify(unknown) === JSON.stringify(wrong), "the two answers differ");
    },
  },
  ...(
    [
      [
        "before-404",
        "an unknown profile",
        (kit) => ({ target: profilePath(kit, "", unknownDid(kit)) }),
      ],
      [
        "before-400-path",
        "a path value that is no DID",
        () => ({ target: "/prof/v1/profile/alice" }),
      ],
      [
        "before-400-query",
        "an invalid query",
        (kit) => ({ target: profilePath(kit, "?scopes=x") }),
      ],
      [
        "before-400-version",
        "an unsupported version",
        (kit) => ({ target: profilePath(kit), headers: { "PROF-Version": "9.9" } }),
      ],
    ] satisfies [string, string, (kit: Kit) => Outgoing][]
  ).map(
    ([id, what, outgoing]): Check => ({
      id: `authentication.${id}`,
      sentence: `Without credentials ${what} is 401 as well.`,
      cites: "Protocol 2, Order: 401 always before 404",
      run: async (kit) => {
        refused(await kit.call({ ...outgoing(kit), as: "nobody" }), "PROF001");
      },
    }),
  ),
];

function list(kit: Kit, more: Partial<Outgoing>) {
  return kit.call({ target: profilePath(kit, "/proposals?limit=1"), ...more });
}

// In the order in which they are given; what is undefined is left out.
function join(parts: Record<string, string | undefined>): string {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return `PROF-Signature ${given.map(([name, value]) => `${name}="${value}"`).join(", ")}`;
}

// Protocol 3: 43 characters, and their CRC-32 as six digits of base 62.
function unknownToken(): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const chance = "Conformance0Conformance0Conformance0Conform";
  const places = [5, 4, 3, 2, 1, 0].map((place) => Math.floor(crc32(chance) / 62 ** place) % 62);
  return `profct_${chance}${places.map((place) => digits[place]).join("")}`;
}
