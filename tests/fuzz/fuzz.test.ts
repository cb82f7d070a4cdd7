import { Pool } from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { cloneDatabase } from "@/tests/support/database";
import { caseOf } from "./cases/all";
import { judge } from "./judge";
import { type Draft, draft, profilePath } from "./message";
import { type Figures, fuzz } from "./run";
import { runningTarget } from "./target";
import { startOwnGateway } from "./testing/gateway";
import type { Answer, Heard } from "./wire";

const databaseUrl = await cloneDatabase();
const gateway = await startOwnGateway(databaseUrl);
afterAll(() => gateway.stop());
const { world } = gateway;

let figures: Figures;

test("1,500 requests that nobody should send: no 5xx, no hang, no leak, nothing stored untold", async () => {
  figures = await fuzz({ world, seed: 7, from: 0, count: 1_500, lines: 16 });
  expect(figures.findings.map(({ number, faults }) => ({ number, faults }))).toEqual([]);
  expect(await gateway.storedUnacknowledged(figures.acknowledged)).toEqual([]);
  expect(figures.requests).toBe(1_500);
  for (const status of [200, 201, 400, 401, 403, 404]) {
    expect(figures.statuses.get(status)).toBeGreaterThan(0);
  }
}, 60_000);

test("a seed and a number always make the same request", () => {
  for (let number = 0; number < 500; number++) {
    const [one, other] = [caseOf(world, 3, number), caseOf(world, 3, number)];
    expect(plain(one)).toEqual(plain(other));
  }
  expect(plain(caseOf(world, 4, 1))).not.toEqual(plain(caseOf(world, 3, 1)));
});

test("finds a write that no answer acknowledged", async () => {
  const pool = new Pool({ connectionString: databaseUrl });
  const id = newId("prop");
  await pool.query(
    `INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence, "proposedAt", "expiresAt")
     SELECT $1, id, 'did:prof:agent:local:x', 'x', sha256('x'), 'prof:fuzz', 1, now(), now() + interval '1 day' FROM "Profile" LIMIT 1`,
    [id],
  );
  await pool.end();
  const unacknowledged = await gateway.storedUnacknowledged(figures.acknowledged);
  expect(unacknowledged).toEqual([`${id} is among the proposals, and no answer said so`]);
});

test("for a running gateway, the owner's view shows what was stored", async () => {
  const target = await runningTarget(world);
  const { findings, acknowledged } = await fuzz({
    world,
    seed: 8,
    from: 0,
    count: 200,
    lines: 8,
  });
  expect(findings).toEqual([]);
  expect(acknowledged.proposals.size).toBeGreaterThan(0);
  expect(await target.storedUnacknowledged(acknowledged)).toEqual([]);
  acknowledged.proposals.add("prop_another");
  expect(await target.storedUnacknowledged(acknowledged)).toEqual([
    `${acknowledged.proposals.size - 1} proposals came to be, ${acknowledged.proposals.size} were told of`,
  ]);
}, 60_000);

describe("a fault is found", () => {
  const input = draft("query listMemories", { target: profilePath(world, "/memories") });
  const bytes = Buffer.from("GET");

  test.each<[name: string, heard: Partial<Heard>, found: RegExp]>([
    ["no answer in time", { isLate: true }, /no answer within 2 s/],
    ["no answer at all", { answers: [] }, /closed without an answer/],
    ["bytes after the answer", { rest: 3 }, /3 bytes/],
    ["a 5xx", { answers: [answer({ status: 500 })] }, /HTTP 500/],
    ["another status", { answers: [answer({ status: 403 })] }, /HTTP 403, not 401/],
    [
      "a header that is missing",
      { answers: [answer({}, "x-ratelimit-limit")] },
      /x-ratelimit-limit: missing/,
    ],
    ["a secret", { answers: [answer({ message: world.secrets.agent[0] })] }, /it tells canary-/],
    [
      "a code under another status",
      { answers: [answer({ code: "PROF003" })] },
      /PROF003 under HTTP 401/,
    ],
    ["no envelope", { answers: [{ ...answer({}), body: Buffer.from("<p>") }] }, /not the envelope/],
  ])("%s", (_name, part, found) => {
    const heard = { answers: [answer({})], rest: 0, isLate: false, ms: 1, ...part };
    const faults = judge(world, { ...input, expected: [401] }, bytes, heard);
    expect(faults.join("\n")).toMatch(found);
  });

  test("in the second answer by who asked for that, and by nobody's rights where that is not known", () => {
    const message = world.secrets.nobody.find((text) => !world.secrets.agent.includes(text));
    const heard = { answers: [answer({}), answer({ message })], rest: 0, isLate: false, ms: 1 };
    const both = { ...input, caller: "nobody", once: true, expected: [401] } as const;
    expect(judge(world, { ...both, followedBy: ["agent"] }, bytes, heard)).toEqual([]);
    expect(judge(world, both, bytes, heard)).toEqual([`it tells ${message}`]);
  });

  test("and nothing where there is none", () => {
    const heard = { answers: [answer({})], rest: 0, isLate: false, ms: 1 };
    expect(judge(world, { ...input, expected: [401] }, bytes, heard)).toEqual([]);
  });
});

type Failure = { status?: number; code?: string; message?: string };

function answer(
  { status = 401, code = "PROF001", message = "No." }: Failure,
  without = "",
): Answer {
  const requestId = "req_0000000000000000000000";
  const meta = { requestId, timestamp: "2026-01-01T00:00:00.000Z" };
  const headers = new Map([
    ["content-type", "application/json; charset=utf-8"],
    ["prof-version", "1.0"],
    ["prof-version-supported", "1.0"],
    ["x-request-id", requestId],
    ["x-ratelimit-limit", "1"],
    ["x-ratelimit-remaining", "1"],
    ["x-ratelimit-reset", "1"],
    ["cache-control", "private, no-store"],
    ["vary", "Authorization"],
    ["x-content-type-options", "nosniff"],
  ]);
  headers.delete(without);
  const body = JSON.stringify({ success: false, error: { code, message }, meta });
  return { status, headers, body: Buffer.from(body) };
}

// Functions are compared by what they do.
function plain({ credential, spoil, ...rest }: Draft) {
  const sample = Buffer.from("GET /prof/v1 HTTP/1.1\r\nHost: x\r\n\r\n{}");
  return {
    ...rest,
    spoilt: spoil?.(sample).toString("hex"),
    credential: Object.keys(credential ?? {}),
  };
}
