import { type Endpoint, endpoints } from "@/lib/protocol/endpoints";
import { type CallerName, type Draft, draft, profilePath, type World } from "../message";
import type { Random } from "../random";
import { hostileObject, hostileValue, strings } from "../values";

type Members = [name: string, json: string][];

/** A signed request with a body that is right, or nearly, or not at all. */
export function bodyCase(random: Random, world: World): Draft {
  const { endpoint, caller, target, members } = random.pick([access, propose, propose, review])(
    random,
    world,
  );
  const changes = random.pick([0, 1, 1, 1, 2, 3]);
  let changed = members;
  for (let change = 0; change < changes; change++) changed = mutated(random, changed);
  const body = spoilt(random, written(random, changed));
  const kind = `body ${endpoint.name}`;
  return draft(kind, { caller, method: "POST", target, body, expected: verdict(endpoint, body) });
}

// What the schemas refuse must be refused; the rest may fail for other reasons.
function verdict(endpoint: Endpoint, body: Buffer): number[] | null {
  try {
    const parsed = endpoint.body?.safeParse(JSON.parse(new TextDecoder().decode(body)));
    return parsed?.success ? null : [400];
  } catch {
    return [400];
  }
}

function access(random: Random, world: World) {
  const scopes = ["prof:interests", "prof:preferences", "prof:health", "prof:travel", "prof:*"];
  const purpose = written(random, [
    ["type", random.pick(['"personalization"', '"research"'])],
    ["description", '"To see what happens."'],
    ["legalBasis", '"consent"'],
    ["retention", '"session_only"'],
  ]);
  const members: Members = [
    ["scopes", JSON.stringify([random.pick(scopes), random.pick(scopes)])],
    ["purpose", (random.chance(0.5) ? spoilt(random, purpose) : purpose).toString("utf8")],
  ];
  const caller = random.pick<CallerName>(["agent", "agent", "token", "owner", "other"]);
  return {
    endpoint: endpoints.requestAccess,
    caller,
    target: profilePath(world, "/access"),
    members,
  };
}

function propose(random: Random, world: World) {
  const members: Members = [
    ["content", JSON.stringify(`Proposed ${random.below(1e9)} ${random.pick(strings)}`)],
    ["category", random.pick(['"prof:interests"', '"prof:fuzz"', '"prof:health"'])],
    ["confidence", String(random.next())],
    ["context", '"Because."'],
  ];
  const caller = random.pick<CallerName>(["agent", "agent", "token", "other"]);
  const isOwn = caller === "token" && random.chance(0.5);
  const target = isOwn
    ? "/prof/v1/profile/memories/propose"
    : profilePath(world, "/memories/propose");
  return { endpoint: endpoints.proposeMemory, caller, target, members };
}

function review(random: Random, world: World) {
  const members: Members = [["action", random.pick(['"approve"', '"reject"'])]];
  if (random.chance(0.3)) members.push(["editedContent", '"Edited."']);
  if (random.chance(0.3)) members.push(["reason", '"Reasoned."']);
  const caller = random.pick<CallerName>(["owner", "owner", "owner", "agent", "token", "other"]);
  const isKnown = world.pending.length > 0 && random.chance(0.8);
  const id = isKnown ? random.pick(world.pending) : "prop_0000000000000000000000";
  const target = profilePath(world, `/proposals/${id}/review`);
  return { endpoint: endpoints.reviewProposal, caller, target, members };
}

function mutated(random: Random, members: Members): Members {
  const at = random.below(members.length);
  const [name, json] = members[at] ?? [];
  if (name === undefined || json === undefined) return [["extra", hostileValue(random)]];
  switch (random.below(8)) {
    case 0:
      return members.toSpliced(at, 1);
    case 1:
      return [...members, [name, json]];
    case 2:
      return [
        ...members,
        [random.pick(["__proto__", "constructor", "prototype", "extra"]), hostileValue(random)],
      ];
    case 3:
      return [...members, ["extra", hostileObject(random)]];
    case 4:
      return members.with(at, [`${name}${random.pick([" ", "\\u0000", "s", "\\ud83e"])}`, json]);
    default:
      return members.with(at, [name, hostileValue(random)]);
  }
}

function written(random: Random, members: Members): Buffer {
  const gap = random.pick(["", "", " ", "\n\t"]);
  return Buffer.from(
    `{${members.map(([name, json]) => `${gap}"${name}":${gap}${json}`).join()}${gap}}`,
  );
}

// Syntax and encoding; most bodies are left alone.
function spoilt(random: Random, body: Buffer): Buffer {
  if (random.chance(0.75)) return body;
  const at = random.below(body.length);
  const [before, after] = [body.subarray(0, at), body.subarray(at)];
  switch (random.below(9)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, random.bytes(1 + random.below(4)), after]);
    case 2:
      return Buffer.concat([before, after.subarray(1)]);
    case 3:
      return Buffer.concat([body, body]);
    case 4:
      return Buffer.concat([Buffer.from("\ufeff"), body]);
    case 5:
      return Buffer.from(body.toString("utf8"), "utf16le");
    case 6:
      return Buffer.from(`[${body.toString("utf8")}]`);
    case 7:
      return Buffer.from(
        `${body.toString("utf8").slice(0, -1)},"pad":"${"x".repeat(random.pick([64_000, 66_000, 150_000]))}"}`,
      );
    default:
      return random.bytes(random.below(200));
  }
}
