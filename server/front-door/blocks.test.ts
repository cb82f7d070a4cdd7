import { afterAll, expect, test } from "vitest";
import { createLog } from "@/lib/engine/log";
import { testEngine } from "@/tests/support/harness";
import { listen } from "../listen";
import { createFrontDoor } from "./front-door";
import { pathTemplate } from "./path-template";

// A handler that keeps the only thread to itself, as long as its query says.
const lines: Record<string, unknown>[] = [];
const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
const engine = await testEngine();
const server = createFrontDoor({
  engine: { ...engine, log: createLog({ level: "info", destination }) },
  next: async ({ url = "" }, response) => {
    const end = performance.now() + Number(url.split("=").at(-1));
    while (performance.now() < end);
    response.end();
  },
});
const port = await listen(server, "127.0.0.1", 0);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const ask = async (path: string) => (await fetch(`http://localhost:${port}${path}`)).text();

async function blocks(): Promise<number> {
  const [, count] =
    /^gateway_event_loop_blocks_total (\d+)$/m.exec(await engine.metrics.text()) ?? [];
  return Number(count);
}

test("a block of the event loop is counted, and logged with the request under way and nothing that a client wrote", async () => {
  const before = await blocks();
  await ask("/api/profiles/did:prof:user:local:alice/tokens/canary?canary=300");
  const find = () => lines.find(({ durationMs }) => Number(durationMs) >= 300);
  await expect.poll(find).toBeDefined();
  expect(await blocks()).toBeGreaterThan(before);
  expect(find()).toMatchObject({
    msg: "the event loop was blocked, with these requests under way",
    method: "GET",
    endpoint: "/api/profiles/{}/tokens/{}",
    requestId: expect.stringMatching(/^req_[0-9A-Za-z]{22}$/),
  });
  expect(JSON.stringify(lines)).not.toMatch(/canary|alice/);
});

test.each([
  [
    "/prof/v1/profile/did%3Aprof%3Auser%3Alocal%3Aalice/memories?category=prof:a",
    "/prof/v1/profile/{}/memories",
  ],
  ["/dashboard/agents/did:prof:agent:local:iris", "/dashboard/agents/{}"],
  ["/", "/"],
  ["*", "{}"],
  [`/${"a/".repeat(1_000)}`, `${"/{}".repeat(11)}`],
])("%s is %s in the log", (target, template) => {
  expect(pathTemplate(target)).toBe(template);
});
