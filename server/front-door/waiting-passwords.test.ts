import { once } from "node:events";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { network } from "@/lib/engine/peer-guard";
import { peerOf } from "@/lib/http/peer";
import { seenAs } from "@/lib/services/accounts/secret-token";
import { configured, testEngine } from "@/tests/support/harness";
import { listen } from "../listen";
import { createFrontDoor } from "./front-door";
import { fieldsOf } from "./wire";

// The threads that hash: each check of a password lasts until the test ends.
const held = new Set<(isRight: boolean) => void>();
// Read once more, as another file may have read it with the real ones.
vi.resetModules();
// Of the machine: hashes leave one core free.
vi.doMock("node:os", async (original) => ({
  ...(await original<typeof import("node:os")>()),
  availableParallelism: () => 2,
}));
vi.doMock("@node-rs/argon2", () => ({ verify: () => new Promise((end) => held.add(end)) }));
const { isPassword } = await import("@/lib/auth/password");
afterAll(() => {
  vi.doUnmock("node:os");
  vi.doUnmock("@node-rs/argon2");
  vi.resetModules();
});

const hops = { TRUST_PROXY_HOPS: 1 };
const engine = configured(await testEngine(), hops);
const session = { Cookie: "gateway-session=x" };
engine.seenSessions.set(seenAs("x"), "usr_x");

let isBusy = false;
afterEach(async () => {
  isBusy = false;
  for (; held.size > 0; await new Promise(setImmediate)) {
    for (const end of held) end(false);
    held.clear();
  }
});

/** Keeps the thread busy, so that no place is given back because it idles. */
function keepBusy(): void {
  isBusy = true;
  const turn = () => {
    if (isBusy) setImmediate(turn);
  };
  turn();
}

/** A front door whose forms check a password, and whose pages answer at once. */
async function openDoor() {
  let tries = 0;
  const server = createFrontDoor({
    engine,
    next: async (request, response) => {
      if (request.method === "POST") {
        const peer = peerOf(fieldsOf(request.headers), hops.TRUST_PROXY_HOPS);
        tries += 1;
        await isPassword("a quiet lamp", null, { from: peer && network(peer) });
      }
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      response.end("a page");
    },
  });
  const port = await listen(server, "127.0.0.1", 0);
  const send = (path: string, peer: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { ...init.headers, "X-Forwarded-For": peer },
    });
  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
  return { send, tries: () => tries, close };
}

test.each([
  ["the form that signs in", "/sign-in", {}],
  ["a script that signs in", "/api/auth/callback/credentials", {}],
  ["a form of the dashboard that confirms", "/dashboard/settings/account", session],
  ["a script that confirms", "/api/session/confirm", session],
])(
  "passwords of 20 networks that wait to be hashed take no place from anybody: %s",
  async (_of, path, headers) => {
    const door = await openDoor();
    keepBusy();
    const waiting = Array.from({ length: 40 }, (_, nth) =>
      door.send(path, `192.0.2.${nth % 20}`, { method: "POST", headers }).catch(() => null),
    );
    await expect.poll(door.tries).toBe(40);
    const others = await Promise.all([
      door.send("/sign-in", "198.51.100.1"),
      door.send("/dashboard", "198.51.100.2", { headers: session }),
      door.send("/api/profiles", "198.51.100.3", { headers: session }),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(held.size).toBe(1);
    await door.close();
    await Promise.all(waiting);
  },
);
