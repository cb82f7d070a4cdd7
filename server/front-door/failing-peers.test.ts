import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { leaveSlot } from "@/lib/engine/load/work-slots";
import { createPeerGuard } from "@/lib/engine/peer-guard";
import { readBody } from "@/lib/http/body";
import { mintConnectionToken } from "@/lib/services/tokens/connection-token";
import { configured, testEngine, testNow } from "@/tests/support/harness";
import { listen } from "../listen";
import { createFrontDoor } from "./front-door";

const engine = configured(await testEngine(), { TRUST_PROXY_HOPS: 1 });
const peer = "192.0.2.1";
const neighbour = "198.51.100.1";

let door: Awaited<ReturnType<typeof openDoor>>;
beforeEach(async () => {
  door = await openDoor();
});
afterEach(() => door.close());

/** A front door whose routes answer when the test says so; `peer` has used up its failures. */
async function openDoor() {
  const peerGuard = createPeerGuard(1);
  peerGuard.charge(peer, testNow);
  const begun: string[] = [];
  const answers: ((status: number) => void)[] = [];
  const server = createFrontDoor({
    engine: { ...engine, peerGuard },
    protocolRoute: () => async (incoming) => {
      const body = Buffer.from(await readBody(incoming.body)).toString();
      begun.push(body);
      if (body === "waits") leaveSlot();
      const status = await new Promise<number>((resolve) => answers.push(resolve));
      return { status, headers: [], text: "" };
    },
    next: async (_request, response) => void response.end(),
  });
  const port = await listen(server, "127.0.0.1", 0);
  const post = (from: string, body: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}/prof/v1/profile`, {
      method: "POST",
      body,
      ...init,
      headers: { ...init.headers, "X-Forwarded-For": from },
    }).then(({ status }) => status);
  async function close(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
  return { begun, answers, port, post, close };
}

describe("a network that has used up its failures", () => {
  test("is answered one request at a time, each with its whole body, and no other network waits", async () => {
    const names = ["one", "two", "three"];
    const statuses = names.map((name) => door.post(peer, name));
    const others = [door.post(neighbour, "other"), door.post(neighbour, "another")];
    await expect.poll(() => door.begun.length).toBe(3);
    expect(door.begun).toEqual(expect.arrayContaining(["other", "another"]));
    for (let nth = 0; nth < 5; nth++) {
      await expect.poll(() => door.answers.length).toBeGreaterThan(nth);
      door.answers[nth]?.(200);
    }
    expect(await Promise.all([...statuses, ...others])).toEqual(Array(5).fill(200));
    expect(door.begun.toSorted()).toEqual([...names, "other", "another"].toSorted());
  });

  test("waits ten milliseconds behind each refusal, and no time behind a valid request", async () => {
    const gapsOf = async (status: number) => {
      const before = door.begun.length;
      const all = Array.from({ length: 11 }, () => door.post(peer, ""));
      let began = 0;
      for (let nth = before; nth < before + 11; nth++) {
        await expect.poll(() => door.answers.length, { interval: 1 }).toBeGreaterThan(nth);
        if (nth === before) began = performance.now();
        door.answers[nth]?.(status);
      }
      const took = performance.now() - began;
      await Promise.all(all);
      return took;
    };
    expect(await gapsOf(429)).toBeGreaterThan(95);
    // The best of five: another process may have taken the core for one of them.
    const valid: number[] = [];
    for (let round = 0; round < 5; round++) valid.push(await gapsOf(200));
    expect(Math.min(...valid)).toBeLessThan(95);
  });

  test("has 32 requests wait, and is refused the next one with 429", async () => {
    const all = Array.from({ length: 34 }, () => door.post(peer, ""));
    expect(await Promise.race(all)).toBe(429);
    for (let nth = 0; nth < 33; nth++) {
      await expect.poll(() => door.answers.length, { interval: 1 }).toBeGreaterThan(nth);
      door.answers[nth]?.(200);
    }
    const statuses = await Promise.all(all);
    expect(statuses.filter((status) => status === 200)).toHaveLength(33);
  });

  test("does not make a caller wait that was verified there, until its next failure", async () => {
    const token = { Authorization: `Bearer ${mintConnectionToken().token}` };
    const verified = door.post(peer, "verified", { headers: token });
    await expect.poll(() => door.begun).toEqual(["verified"]);
    door.answers[0]?.(200);
    expect(await verified).toBe(200);
    const waiting = [door.post(peer, "stranger"), door.post(peer, "another")];
    await expect.poll(() => door.begun.length).toBe(2);
    const failing = door.post(peer, "failing", { headers: token });
    await expect.poll(() => door.begun.at(-1)).toBe("failing");
    door.answers[2]?.(429);
    expect(await failing).toBe(429);
    const later = door.post(peer, "later", { headers: token });
    door.answers[1]?.(404);
    for (const nth of [3, 4]) {
      await expect.poll(() => door.answers.length).toBe(nth + 1);
      door.answers[nth]?.(200);
    }
    expect(await Promise.all([...waiting, later])).toHaveLength(3);
  });

  test("is not held up by a request that waits for something else than us", async () => {
    const waits = door.post(peer, "waits");
    await expect.poll(() => door.begun).toEqual(["waits"]);
    const next = door.post(peer, "next");
    await expect.poll(() => door.begun).toEqual(["waits", "next"]);
    for (const answer of door.answers) answer(200);
    expect(await Promise.all([waits, next])).toEqual([200, 200]);
  });

  test("takes no credential as verified for an answer that anybody gets", async () => {
    const headers = { Authorization: `Bearer ${mintConnectionToken().token}` };
    const path = "/%2Ewell-known/oauth-authorization-server";
    const document = await fetch(`http://127.0.0.1:${door.port}${path}`, {
      headers: { ...headers, "X-Forwarded-For": peer },
    });
    expect(document.status).toBe(200);
    const both = [door.post(peer, "one", { headers }), door.post(peer, "other", { headers })];
    await expect.poll(() => door.begun.length).toBe(1);
    door.answers[0]?.(401);
    await expect.poll(() => door.begun.length).toBe(2);
    door.answers[1]?.(401);
    expect(await Promise.all(both)).toEqual([401, 401]);
  });

  test("is not held up by a body that comes slowly", async () => {
    const slow = connect(door.port, "127.0.0.1");
    const head = ["POST /prof/v1/profile HTTP/1.1", "Host: localhost", `X-Forwarded-For: ${peer}`];
    slow.write(`${[...head, "Content-Length: 9"].join("\r\n")}\r\n\r\nabc`);
    const next = door.post(peer, "next");
    await expect.poll(() => door.begun).toEqual(["next"]);
    door.answers[0]?.(200);
    expect(await next).toBe(200);
    slow.destroy();
  });

  test("does not begin a request whose sender has hung up", async () => {
    const first = door.post(peer, "first");
    await expect.poll(() => door.begun).toEqual(["first"]);
    const hangingUp = new AbortController();
    const gone = door.post(peer, "gone", { signal: hangingUp.signal });
    const last = door.post(peer, "last");
    hangingUp.abort();
    await expect(gone).rejects.toThrow("aborted");
    door.answers[0]?.(200);
    await expect.poll(() => door.begun).toEqual(["first", "last"]);
    door.answers[1]?.(200);
    expect(await Promise.all([first, last])).toEqual([200, 200]);
  });
});
