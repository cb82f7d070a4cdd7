import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { configured, testEngine } from "@/tests/support/harness";
import { listen } from "../listen";
import { createFrontDoor } from "./front-door";
import { paceRefusals } from "./paced-refusals";

// Two networks that asked for unknown paths over 64 connections each made others' signed reads take 0.4 s.
const engine = configured(await testEngine(), { TRUST_PROXY_HOPS: 1, PUBLIC_URL: [] });
let status = 404;
const server = createFrontDoor({
  engine,
  protocolRoute: () => async () => ({ status, headers: [], text: "" }),
  next: async (_request, response) => void response.end(),
});
const gateway = `http://127.0.0.1:${await listen(server, "127.0.0.1", 0)}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(from: string, path = "/prof/x"): Promise<number> {
  const headers = { "X-Forwarded-For": from };
  return (await fetch(gateway + path, { headers })).status;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const times = (count: number, one: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, one));

describe("a network's refusals", () => {
  test.each([400, 401, 404, 405, 429])(
    "of %d come one each 10 ms after the first fifty",
    async (refusal) => {
      status = refusal;
      const from = `192.0.2.${refusal % 200}`;
      expect(await msOf(() => times(100, () => ask(from)))).toBeGreaterThan(450);
    },
  );

  test("also those that no route gives", async () => {
    const refused = () => times(100, () => ask("192.0.2.250", "/a//b"));
    expect(await msOf(refused)).toBeGreaterThan(450);
  });

  test("keep nobody else waiting, and no request of its own that is answered", async () => {
    status = 404;
    const flood = times(150, () => ask("198.51.100.1"));
    let isOver = false;
    const over = flood.then(() => {
      isOver = true;
    });
    expect(await ask("203.0.113.1")).toBe(404);
    status = 200;
    expect(await ask("198.51.100.1")).toBe(200);
    expect(isOver).toBe(false);
    await over;
  });

  test("wait a second at most", async () => {
    const request = new IncomingMessage(new Socket());
    request.headers["x-forwarded-for"] = "198.51.100.2";
    const pace = paceRefusals(engine);
    // One each 10 ms, the last of them would wait ten seconds.
    expect(await msOf(() => times(1_050, () => pace(request, 404)))).toBeLessThan(5_000);
  });
});
