import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { addressOf, startGateway } from "@/tests/support/processes";

// What Next.js makes of streams that are asked for and not read.

const folder = await mkdtemp(path.join(tmpdir(), "gateway-streams-"));
afterAll(() => rm(folder, { recursive: true }));
const gateway = startGateway({ DATA_FOLDER: folder }, "--demo");
const address = await addressOf(gateway);
await gateway.says(/Demo keys/);

const User = z.object({ email: z.string(), password: z.string(), did: z.string() });
const Demo = z.object({ users: z.array(User).min(1) });
const demo = Demo.parse(JSON.parse(await readFile(path.join(folder, "demo/demo.json"), "utf8")));
const [{ email, password, did } = { email: "", password: "", did: "" }] = demo.users;
const profile = encodeURIComponent(did);

class Browser {
  #cookies = new Map<string, string>();

  async ask(target: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, cookie: this.cookie() };
    const response = await fetch(address + target, { redirect: "manual", ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }

  cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async signIn(): Promise<void> {
    const body = new URLSearchParams({
      email,
      password,
      json: "true",
      csrfToken: await this.#csrf(),
    });
    await this.ask("/api/auth/callback/credentials", { method: "POST", body });
  }

  async #csrf(): Promise<string> {
    const { csrfToken } = await (await this.ask("/api/auth/csrf")).json();
    return csrfToken;
  }
}

const alice = new Browser();
beforeAll(() => alice.signIn());

/** Opens a stream and hangs up when told to; says with which status it was answered. */
function open(target: string): Promise<{ status: number; hangUp: () => void }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      address + target,
      { headers: { cookie: alice.cookie() } },
      (answer) => {
        answer.on("error", () => undefined).resume();
        resolve({ status: answer.statusCode ?? 0, hangUp: () => outgoing.destroy() });
      },
    );
    outgoing.on("error", reject).end();
  });
}

const live = `/api/live?profile=${profile}`;
const exports = [
  `/api/profile/export?profile=${profile}`,
  `/api/profiles/${profile}/export`,
  "/dashboard/activity/export/json",
  "/dashboard/activity/export/csv",
];

test("HEAD makes no stream: after fifty of them each page still has its own", async () => {
  for (let at = 0; at < 50; at++) {
    expect((await alice.ask(live, { method: "HEAD" })).status).toBe(200);
  }
  const stream = await open(live);
  expect(stream.status).toBe(200);
  stream.hangUp();
});

test("a user has twenty streams, and has them again once their connections are gone", async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(live)));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  expect((await open(live)).status).toBe(503);
  for (const { hangUp } of streams) hangUp();
  const reopened = async () => {
    const { status, hangUp } = await open(live);
    hangUp();
    return status;
  };
  await expect.poll(reopened).toBe(200);
});

test("HEAD begins no export, and an export leaves one event", async () => {
  const received = async () => {
    const { data } = await (await alice.ask(`/api/profiles/${profile}/activity?limit=100`)).json();
    return z.array(z.object({ verb: z.string() })).parse(data).length;
  };
  const before = await received();
  for (const target of exports) {
    const { status, headers } = await alice.ask(target, { method: "HEAD" });
    expect([status, headers.get("content-disposition")]).toEqual([200, expect.any(String)]);
  }
  expect(await received()).toBe(before);
  for (const target of exports) await (await alice.ask(target)).text();
  expect(await received()).toBe(before + exports.length);
});
