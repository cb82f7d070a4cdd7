import { endpoints } from "@/lib/protocol/endpoints";
import { decodeQuery } from "@/lib/protocol/signature";
import { type CallerName, type Draft, draft, profilePath, type World } from "../message";
import type { Random } from "../random";
import { strings } from "../values";

const callers: readonly CallerName[] = ["agent", "agent", "agent", "token", "owner", "other"];

/** A signed GET with a query that is right, or nearly, or not at all. */
export function queryCase(random: Random, world: World): Draft {
  const { name, query, path } = random.pick([
    endpoints.getProfile,
    endpoints.listMemories,
    endpoints.listProposals,
  ]);
  const pairs = Array.from({ length: random.below(4) }, () =>
    pair(random, Object.keys(query.shape)),
  );
  const target = path.replace("{did}", encodeURIComponent(world.userDid));
  const search = pairs.length > 0 || random.chance(0.1) ? `?${pairs.join("&")}` : "";
  const expected = verdict(query, search);
  return draft(`query ${name}`, {
    caller: random.pick(callers),
    target: target + search,
    expected,
  });
}

/** A path that names something else, or nothing. */
export function pathCase(random: Random, world: World): Draft {
  const did = random.pick([
    world.otherDid,
    world.userDid.toUpperCase(),
    `${world.userDid}:x`,
    "did:prof:user:local:nobody",
    "did:prof:agent:local:iris",
    "did:prof:",
    "did:prof:user",
    "alice",
    "%",
    ...strings,
  ]);
  const rest = random.pick(["", "/memories", "/proposals", "/proposals/x/review", "/access"]);
  const isPost = /review|access/.test(rest);
  return draft("path", {
    caller: random.pick(callers),
    method: isPost ? "POST" : "GET",
    target: profilePath(world, rest, did.toWellFormed()),
    body: isPost
      ? Buffer.from('{"action":"approve","scopes":["prof:a"],"purpose":{"type":"x"}}')
      : null,
    expected: [200, 400, 403, 404],
  });
}

const values = [
  "prof:interests",
  "prof:interests.*",
  "prof:*",
  "prof:health",
  "prof:interests.secret,prof:preferences.hidden",
  "pending",
  "approved",
  "1",
  "0",
  "-1",
  "200",
  "201",
  "1e3",
  "0x10",
  "9".repeat(40),
  "2147483648",
  " 1",
  "prof:a,".repeat(60),
  ",",
  ...strings,
];

function pair(random: Random, names: readonly string[]): string {
  const name = random.chance(0.85)
    ? random.pick(names)
    : random.pick(["x", "", "__proto__", "Limit"]);
  const value = random.pick(values).toWellFormed();
  const sign = random.chance(0.95) ? "=" : "";
  return `${encodeURIComponent(name)}${sign}${encodeURIComponent(value)}`;
}

function verdict(query: (typeof endpoints)[keyof typeof endpoints]["query"], search: string) {
  const pairs = decodeQuery(search.slice(1)) ?? [];
  const names = pairs.map(([name]) => name);
  const isTwice = names.some(
    (name, at) => Object.hasOwn(query.shape, name) && names.indexOf(name) !== at,
  );
  const isGood = query.safeParse(Object.fromEntries(pairs)).success;
  return isTwice || !isGood ? [400] : [200, 403];
}
