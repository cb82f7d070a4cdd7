import { execFile } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { limitClasses } from "@/lib/protocol/endpoints";
import { testEngine } from "@/tests/support/harness";
import { runChecks } from "./check";
import { allChecks, selectChecks } from "./checks/all";
import { openKit } from "./kit";
import type { Options } from "./options";
import { summary } from "./report";
import { faults } from "./testing/faults";
import { startFaulty } from "./testing/faulty-proxy";
import { personas, startGateway } from "./testing/gateway";

// A whole run is some 430 requests, one after the other.
vi.setConfig({ testTimeout: 60_000 });

const engine = await testEngine({ PEER_LIMIT: "100000" });
// The kit signs by the real clock.
engine.now = () => new Date();
const { server, url } = await startGateway(engine);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function check(options: Options) {
  const kit = openKit(options);
  const outcomes = await runChecks(kit, selectChecks(options));
  kit.close();
  return { outcomes, replies: kit.replies };
}

test("every check has an id of its own, a sentence and a citation", () => {
  expect(allChecks.length).toBeGreaterThanOrEqual(120);
  expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length);
  for (const { sentence, cites } of allChecks) {
    expect(sentence).toMatch(/\.$/);
    expect(cites).toMatch(/^(Spec|Protocol \d+), /);
  }
});

test("this gateway passes every check, within one hour's limits", async () => {
  const { outcomes, replies } = await check({ ...(await personas(engine)), url });
  const left = outcomes.filter(({ outcome }) => outcome !== "passed");
  expect(left.map(({ id }) => id)).toEqual(["limits.reached"]);
  expect(summary(outcomes)).toBe(`${outcomes.length - 1} passed, 0 failed, 1 not run`);
  for (const [limitClass, limit] of Object.entries(limitClasses)) {
    const own = replies.filter((reply) => reply.limitClass === limitClass && reply.status !== 401);
    expect(own.filter(({ as }) => as === "agent").length).toBeLessThan(limit);
    expect(own.filter(({ as }) => as === "user").length).toBeLessThan(limit);
  }
  expect(replies.filter(({ status }) => status === 401).length).toBeLessThan(300 / 2);
});

test("the limit is checked only if the hour may be used up", async () => {
  const given = { ...(await personas(engine)), url, exhaust: true, only: ["limits"] };
  const { outcomes } = await check(given);
  expect(outcomes.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
});

test("checks without their key are skipped with a reason", async () => {
  const { agent, userDid, ...rest } = await personas(engine);
  const bare = { userKey: null, token: null, otherUserDid: null, otherUserKey: null };
  const { outcomes } = await check({ ...rest, ...bare, agent, userDid, url });
  expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  const notRun = outcomes.filter(({ outcome }) => outcome === "not run");
  expect(notRun.length).toBeGreaterThan(20);
  expect(notRun.find(({ id }) => id === "review.approve")?.because).toBe("needs --user-key");
  expect(outcomes.length - notRun.length).toBeGreaterThan(120);
});

test.each(faults)("a gateway that $name is caught", async (fault) => {
  const faulty = await startFaulty(url, fault);
  const [group = ""] = fault.caughtBy.split(".");
  // A gateway that repeats its last success needs one first.
  const only = ["authentication.accepts", group];
  const { outcomes } = await check({ ...(await personas(engine)), url: faulty.url, only });
  faulty.server.closeAllConnections();
  faulty.server.close();
  const failed = outcomes.filter(({ outcome }) => outcome === "failed").map(({ id }) => id);
  expect(failed).toContain(fault.caughtBy);
});

test("the command prints a line a check and a summary, or JSON, and its exit code tells", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "conformance-"));
  const { agent, userDid } = await personas(engine);
  const key = createPrivateKey({ key: { ...agent.privateKey }, format: "jwk" });
  const file = path.join(folder, "agent.pem");
  await writeFile(file, key.export({ type: "pkcs8", format: "pem" }));
  const given = ["--agent-did", agent.did, "--agent-key", file, "--user", userDid];
  const only = ["--only", "versions"];

  const text = await command(["--url", url, ...given, ...only]);
  expect(text.output).toMatch(/^✓ versions\.1 .+ — Protocol 8, Versions$/m);
  expect(text.output).toMatch(/\n14 passed, 0 failed\n$/);
  expect(text.code).toBe(0);
  const json = await command(["--url", url, ...given, ...only, "--json"]);
  expect(JSON.parse(json.output)).toMatchObject({ url, passed: 14, failed: 0, notRun: 0 });
  const nobody = await command(["--url", "http://127.0.0.1:1", ...given, ...only]);
  expect(nobody.output).toMatch(/^✗ versions\.1 [\s\S]*0 passed, 14 failed\n$/m);
  expect(nobody.code).toBe(1);
  expect((await command(["--url", url])).code).toBe(2);
  await rm(folder, { recursive: true });
});

function command(args: string[]): Promise<{ code: unknown; output: string }> {
  const line = ["server/run.mjs", "conformance/main.ts", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, line, (error, output) =>
      resolve({ code: error === null ? 0 : error.code, output }),
    );
  });
}
