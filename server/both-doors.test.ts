import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cloneDatabase } from "@/tests/support/database";
import { addressOf, type Program, run, startGateway } from "@/tests/support/processes";

// The same routes behind the front door and behind `next start`, on one database.

const folder = await mkdtemp(path.join(tmpdir(), "gateway-doors-"));
afterAll(() => rm(folder, { recursive: true }));

const env = {
  DATABASE_URL: await cloneDatabase(),
  DATA_FOLDER: folder,
  NEXTAUTH_SECRET: "both doors share this secret of 40 bytes.",
  PEER_LIMIT: "100000",
  LIMIT_PROFILE: "1000",
  LIMIT_ACCESS: "1000",
  LIMIT_PROPOSE: "1000",
  LIMIT_REVIEW: "1000",
  LIMIT_MEMORIES: "1000",
  LIMIT_PROPOSALS: "1000",
};
const frontDoor = await addressOf(startGateway(env, "--demo"));
const next = startNext();
const nextDoor = (await next.says(/Local: +(http:\S+)/))[1] ?? "";
const demo = JSON.parse(await readFile(path.join(folder, "demo/demo.json"), "utf8"));

function startNext(): Program {
  const program = run(["node_modules/next/dist/bin/next", "start", "-p", "0"], env);
  afterAll(async () => {
    await program.stop();
  });
  return program;
}

interface Checked {
  passed: number;
  failed: number;
  checks: { id: string; outcome: string; because?: string }[];
}

async function conformance(url: string, ...more: string[]): Promise<Checked> {
  const { agents, users } = demo;
  const [agent, [owner, other]] = [agents[0], users];
  const key = (file: string) => path.join(folder, "demo", file);
  const kit = run(
    [
      "server/run.mjs",
      "conformance/main.ts",
      ...["--url", url, "--json", "--limits-raised"],
      ...["--agent-did", agent.did, "--agent-key", key(agent.keyFile)],
      ...["--user", owner.did, "--user-key", key(owner.keyFile)],
      ...["--other-user", other.did, "--other-user-key", key(other.keyFile)],
      ...more,
    ],
    {},
  );
  await kit.ended;
  return JSON.parse(kit.output());
}

function failedOf({ checks }: Checked): string[] {
  return checks
    .filter(({ outcome }) => outcome === "failed")
    .map(({ id, because }) => `${id}: ${because}`);
}

describe("the conformance kit", () => {
  test("passes through the front door", async () => {
    const checked = await conformance(frontDoor);
    expect(failedOf(checked)).toEqual([]);
    expect(checked.passed).toBeGreaterThanOrEqual(110);
  }, 60_000);

  // Node keeps the first of two Authorization headers, and Next.js never hears of the second.
  test("passes through Next.js alone, but for two headers in one request", async () => {
    const checked = await conformance(nextDoor, "--skip", "authentication.refuses.two-headers");
    expect(failedOf(checked)).toEqual([]);
    expect(checked.passed).toBeGreaterThanOrEqual(110);
  }, 60_000);
});

describe("both doors answer alike", () => {
  const profile = "/prof/v1/profile/did:prof:user:local:alice";
  test.each([
    ["GET", profile],
    ["GET", "/prof/v1/profile/did%3Aprof%3Auser%3Alocal%3Aalice"],
    ["GET", `${profile}/`],
    ["GET", `${profile}/memories?category=prof:a,b&limit=1`],
    ["DELETE", profile],
    ["HEAD", profile],
    ["OPTIONS", `${profile}/access`],
    ["POST", `${profile}/access`],
    ["POST", "/prof/v1/profile/memories/propose"],
    ["GET", "/prof"],
    ["GET", "/prof/v2/x"],
    ["GET", "/prof/v1/profile/access"],
    ["POST", "/prof/v1/profile/access"],
    ["DELETE", "/prof/v1/profile/memories"],
    ["POST", "/prof/v1/profile/proposals/prop_1/review"],
    ["GET", "/prof/v1/profile/memories/propose"],
  ])("%s %s", async (method, target) => {
    const [one, other] = await Promise.all([
      answerOf(frontDoor, method, target),
      answerOf(nextDoor, method, target),
    ]);
    expect(other).toEqual(one);
  });
});

describe("without PUBLIC_URL neither answers by another name", () => {
  test.each(["/prof/v1/profile", "/api/health", "/sign-up"])("%s", async (path) => {
    for (const door of [frontDoor, nextDoor]) {
      const { port } = new URL(door);
      const options = { host: "127.0.0.1", port, path, headers: { Host: "evil.example" } };
      const [response] = await once(get(options), "response");
      response.resume();
      expect(response.statusCode).toBe(421);
    }
  });
});

// Without what differs from request to request.
async function answerOf(door: string, method: string, target: string) {
  const response = await fetch(door + target, { method, redirect: "manual" });
  const body = await response.text();
  const { error } = body === "" ? { error: null } : JSON.parse(body);
  const names = ["allow", "cache-control", "content-type", "prof-version"];
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
  const secured = ["content-security-policy", "referrer-policy", "x-content-type-options"];
  return {
    status: response.status,
    error,
    varies: response.headers.get("vary")?.includes("Authorization"),
    headers,
    secured: secured.map((name) => response.headers.get(name)),
  };
}
