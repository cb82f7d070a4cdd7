import { request as send } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { configured, testEngine } from "@/tests/support/harness";
import { listen } from "../listen";
import { createFrontDoor } from "./front-door";
import { protocolRoute } from "./protocol-routes";

const engine = await testEngine();

async function openDoor(PUBLIC_URL: string[]): Promise<number> {
  const server = createFrontDoor({
    engine: configured(engine, { PUBLIC_URL }),
    protocolRoute,
    next: async (_request, response) => void response.end("a page"),
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server, "127.0.0.1", 0);
}

const doors = {
  private: await openDoor([]),
  onLoopback: await openDoor(["http://localhost:3000"]),
  public: await openDoor(["https://gateway.example"]),
};

function ask(door: keyof typeof doors, host: string, path: string) {
  return new Promise<{ status?: number; type?: string; body: string }>((resolve, reject) => {
    const options = { host: "127.0.0.1", port: doors[door], path, agent: false };
    send({ ...options, headers: { Host: host } }, async (response) => {
      const { statusCode: status, headers } = response;
      resolve({ status, type: headers["content-type"], body: await text(response) });
    })
      .once("error", reject)
      .end();
  });
}

const paths = ["/sign-up", "/api/health", "/prof/v1/profile"];

describe.each(["private", "onLoopback"] as const)(
  "%s: a gateway that only its own machine uses",
  (door) => {
    test.each([
      "localhost",
      "localhost:3000",
      "LOCALHOST:1",
      "127.0.0.1:8080",
      "[::1]",
      "[::1]:80",
    ])("answers as %s", async (host) => {
      for (const path of paths) expect((await ask(door, host, path)).status).not.toBe(421);
    });

    test.each([
      "evil.example",
      "evil.example:3000",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "localhost.",
      "x.localhost",
      "0.0.0.0",
      "192.168.0.1:3000",
    ])("does not answer as %s", async (host) => {
      for (const path of paths) {
        const { status, body } = await ask(door, host, path);
        expect([path, status]).toEqual([path, 421]);
        expect(body).toContain("set PUBLIC_URL");
        expect(body).not.toContain(host);
      }
    });
  },
);

test("refuses in the envelope below /prof and /api, and as plain text elsewhere", async () => {
  const [page, ...others] = await Promise.all(paths.map((p) => ask("private", "evil.example", p)));
  expect(page?.type).toBe("text/plain; charset=utf-8");
  for (const { type, body } of others) {
    expect(type).toBe("application/json; charset=utf-8");
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: "PROF006" } });
  }
});

test("with PUBLIC_URL on another machine, a proxy may use any name", async () => {
  for (const host of ["gateway.example", "10.0.0.7:3000", "localhost:3000"]) {
    expect((await ask("public", host, "/sign-up")).body).toBe("a page");
  }
});
