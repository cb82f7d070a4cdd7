import { describe, expect, test } from "vitest";
import { GET as metrics } from "@/app/api/metrics/route";
import { installEngine } from "@/lib/engine/engine";
import { configured, testEngine } from "@/tests/support/harness";
import { peerHeader, peerHeaderValue } from "./peer";

const token = "a token of the operator, of 40 bytes....";
const engine = await testEngine({ METRICS_TOKEN: token });

async function ask(PUBLIC_URL: string[], headers: Record<string, string> = {}) {
  installEngine(configured(engine, { PUBLIC_URL }));
  const all = { [peerHeader]: peerHeaderValue("127.0.0.1"), ...headers };
  return (await metrics(new Request("http://localhost/api/metrics", { headers: all }))).status;
}

describe("from the gateway's own machine", () => {
  test.each([
    ["without PUBLIC_URL", [], 200],
    ["where PUBLIC_URL names this machine", ["http://localhost:3000", "http://[::1]:3000"], 200],
    ["where PUBLIC_URL names another machine", ["https://gateway.example"], 403],
    ["where one of several does", ["http://localhost:3000", "https://gateway.example"], 403],
  ])("answers %s", async (_title, urls, status) => {
    expect(await ask(urls)).toBe(status);
  });
});

test("answers who sends METRICS_TOKEN, whatever PUBLIC_URL is", async () => {
  const headers = { Authorization: `Bearer ${token}` };
  expect(await ask([], headers)).toBe(200);
  expect(await ask(["https://gateway.example"], headers)).toBe(200);
  expect(await ask(["https://gateway.example"], { Authorization: "Bearer another" })).toBe(403);
});
