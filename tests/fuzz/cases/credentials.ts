import { type Credential, type Draft, draft, profilePath, type World } from "../message";
import type { Random } from "../random";
import { strings } from "../values";

/** A credential that must not do. */
export function credentialCase(random: Random, world: World): Draft {
  const isPost = random.chance(0.3);
  return draft("credential", {
    caller: random.pick(["agent", "agent", "agent", "stranger", "nobody", "token"]),
    method: isPost ? "POST" : "GET",
    target: profilePath(world, isPost ? "/memories/propose" : random.pick(["", "/memories"])),
    body: isPost ? Buffer.from('{"content":"Unsigned.","category":"prof:interests"}') : null,
    credential: random.pick(faults)(random),
    expected: [401],
  });
}

type Fault = (random: Random) => Partial<Credential>;

// Each of them spoils a token as well: it goes through `header`.
const faults: readonly Fault[] = [
  () => ({ text: (text) => `${text}\n`, header: (header) => header.replace("profct_", "profct-") }),
  (random) => ({ ts: timeOf(random), header: withoutToken }),
  (random) => ({ nonce: nonceOf(random), header: withoutToken }),
  (random) => ({ header: (_, parts) => joined(random, parts) }),
  (random) => ({ header: (header) => flipped(random, header) }),
  (random) => ({ header: (header) => `${header}, ${random.pick(extras)}` }),
  (random) => ({ header: (header) => header.slice(0, random.below(header.length)) }),
  (random) => ({ header: () => random.pick(schemes) }),
  (random) => ({ header: () => printable(random, random.below(300)) }),
  () => ({ header: (header) => `${header}${', x="1"'.repeat(700)}` }),
];

const withoutToken = (header: string) => header.replace("profct_", "");

const extras = ['did="x"', 'nonce="again-again"', "sig", 'ts=""', '"', "x=1", "=", ","];

const schemes = [
  "",
  "Basic YTpi",
  "Bearer",
  "Bearer ",
  `Bearer profct_${"0".repeat(49)}`,
  `Bearer profct_${"0".repeat(48)}`,
  "PROF-Signature",
  "PROF-Signature ",
  'PROF-Signature did="", sig="", ts="", nonce=""',
  `PROF-Signature ${'did="x", '.repeat(200)}`,
  'PROF-Signature did="did:prof:agent:local:nobody", sig="AAAA", ts="2026-01-01T00:00:00Z", nonce="aaaaaaaa"',
];

function timeOf(random: Random): string {
  const far = new Date(Date.now() + random.pick([-1, 1]) * 3_600_000).toISOString();
  const now = new Date().toISOString();
  return random.pick([
    far,
    now.slice(0, -1),
    now.replace("Z", "+00:00"),
    now.toLowerCase(),
    "2026-02-30T00:00:00Z",
    "9999-12-31T23:59:60Z",
    "+275760-09-13T00:00:00Z",
    "0",
    "now",
    "1".repeat(500),
  ]);
}

function nonceOf(random: Random): string {
  const free = random.pick(strings).replace(/[^ -~]|["\\]/g, "");
  return random.pick(["", "short", "n".repeat(129), "with space", "semi;colon", `../${free}`]);
}

type Parts = { did: string; sig: string; ts: string; nonce: string };

// One part missing, empty, twice or another's.
function joined(random: Random, parts: Parts): string {
  const name = random.pick(["did", "sig", "ts", "nonce"] as const);
  const entries = Object.entries(parts);
  const others = entries.filter(([key]) => key !== name);
  const changed = random.pick([
    others,
    [...others, [name, ""]],
    [...entries, [name, parts[name]]],
    [...others, [name, random.pick(["x", "did:prof:user:local:alice", "AAAA", "=".repeat(88)])]],
  ]);
  return `PROF-Signature ${changed.map(([key, value]) => `${key}="${value}"`).join(", ")}`;
}

// One character of the credential itself, so that it cannot stay the same credential.
function flipped(random: Random, header: string): string {
  const [from, length] = header.startsWith("Bearer")
    ? [header.indexOf("_") + 1, 49]
    : [header.indexOf('sig="') + 5, 80];
  const at = from + random.below(length);
  const other = header[at] === "A" ? "B" : "A";
  return header.slice(0, at) + other + header.slice(at + 1);
}

function printable(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(32 + random.below(95)))
    .join("")
    .trim();
}
