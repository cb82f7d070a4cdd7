import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { configured, testEngine } from "@/tests/support/harness";
import { listen } from "../listen";
import { createFrontDoor } from "./front-door";

const engine = await testEngine();
// What the front door answers by itself: pages wait in a queue besides.
const get = "GET /prof/v1/x HTTP/1.1\r\nHost: localhost\r\n";
const keptAlive = `${get}\r\n`;
const closing = `${get}Connection: close\r\n\r\n`;
const answered = /^HTTP\/1\.1 200 [\s\S]*\r\n\r\na page$/;

let cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups) cleanup();
  cleanups = [];
});

interface Door {
  server: Server;
  served(): number;
  open(peer: string, bytes?: string): Promise<Socket>;
  /** The whole answer to one request, and how long it took. */
  ask(peer: string): Promise<{ answer: string; ms: number }>;
}

async function openDoor(settings = {}, page: () => Promise<string> = async () => "a page") {
  let served = 0;
  const server = createFrontDoor({
    engine: configured(engine, settings),
    protocolRoute: () => async () => {
      served++;
      return { status: 200, headers: [], text: await page() };
    },
    next: async (_request, response) => void response.end(),
  });
  const port = await listen(server, "127.0.0.1", 0);
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const open: Door["open"] = async (localAddress, bytes = "") => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.on("error", () => socket.destroy());
    cleanups.push(() => socket.destroy());
    await once(socket, "connect");
    socket.write(bytes);
    return socket;
  };
  const ask: Door["ask"] = async (peer) => {
    const began = performance.now();
    const answer = await text(await open(peer, closing)).catch(() => "cut off");
    return { answer, ms: performance.now() - began };
  };
  return { server, served: () => served, open, ask } satisfies Door;
}

async function openMany(door: Door, count: number, from: (nth: number) => string, bytes = "") {
  const sockets: Socket[] = [];
  for (let nth = 0; nth < count; nth++) {
    const socket = await door.open(from(nth), bytes);
    socket.resume();
    sockets.push(socket);
  }
  return sockets;
}

function countOpen({ server }: Door): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

describe("2,000 connections of one peer", () => {
  test.each([
    ["that send nothing", ""],
    ["that have had one answer", keptAlive],
  ])("%s leave it 64, and others are served within a second", async (_title, bytes) => {
    const door = await openDoor();
    await openMany(door, 2_000, () => "127.0.0.2", bytes);
    const { answer, ms } = await door.ask("127.0.0.3");
    expect(answer).toMatch(answered);
    expect(ms).toBeLessThan(1_000);
    await expect.poll(() => countOpen(door)).toBeLessThanOrEqual(65);
  });
});

test("one more connection of a peer closes its oldest idle one, and no busy one", async () => {
  const finish: (() => void)[] = [];
  const page = () => new Promise<string>((resolve) => finish.push(() => resolve("a page")));
  const door = await openDoor({ MAX_CONNECTIONS_PER_PEER: 2 }, page);
  const busy = await door.open("127.0.0.2", closing);
  const idle = await door.open("127.0.0.2");
  idle.resume();
  const second = await door.open("127.0.0.2", closing);
  await once(idle, "close");
  await expect.poll(() => finish.length).toBe(2);
  // None is idle now.
  expect((await door.ask("127.0.0.2")).answer).toMatch(/^$|cut off/);
  const answers = Promise.all([text(busy), text(second)]);
  for (const end of finish) end();
  for (const answer of await answers) expect(answer).toMatch(answered);
});

test("the longest idle connections of anybody give way near the total", async () => {
  const door = await openDoor({ MAX_CONNECTIONS: 100 });
  const from = (nth: number) => `127.0.1.${1 + (nth % 10)}`;
  const sockets = await openMany(door, 100, from, keptAlive);
  await expect.poll(() => countOpen(door)).toBe(80);
  expect((await door.ask("127.0.0.3")).answer).toMatch(answered);
  expect(sockets.slice(-50).some(({ destroyed }) => destroyed)).toBe(false);
});

test("without idle connections, those whose requests have been arriving for longest are closed", async () => {
  const door = await openDoor({ MAX_CONNECTIONS: 100 });
  const from = (nth: number) => `127.0.1.${1 + (nth % 10)}`;
  const unsent = "POST /dashboard HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx";
  const sockets = await openMany(door, 100, from, unsent);
  await expect.poll(() => countOpen(door)).toBe(80);
  expect((await door.ask("127.0.0.3")).answer).toMatch(answered);
  expect(sockets.slice(-50).some(({ destroyed }) => destroyed)).toBe(false);
});

test("without idle or arriving ones, connections with unread answers are closed", async () => {
  const large = "x".repeat(20_000_000);
  let served = 0;
  const door = await openDoor({ MAX_CONNECTIONS: 10 }, async () =>
    ++served <= 10 ? large : "a page",
  );
  for (let nth = 1; nth <= 10; nth++) {
    await door.open(`127.0.1.${nth}`, keptAlive);
    // One that has not been served yet would give way first.
    await expect.poll(() => served).toBe(nth);
  }
  await expect.poll(async () => (await door.ask("127.0.0.3")).answer).toMatch(answered);
});

test("connections of our own proxies have no bound of their own", async () => {
  const door = await openDoor({ TRUST_PROXY_HOPS: 1 });
  const sockets = await openMany(door, 200, () => "127.0.0.2", keptAlive);
  await expect.poll(() => door.served()).toBe(200);
  expect(sockets.some(({ destroyed }) => destroyed)).toBe(false);
});

describe("pipelined requests", () => {
  test("have one under way at a time, and are answered in their order", async () => {
    let [underWay, most, nth] = [0, 0, 0];
    const door = await openDoor({}, async () => {
      most = Math.max(most, ++underWay);
      const name = `page ${nth++}`;
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return name;
    });
    const answer = await text(await door.open("127.0.0.2", keptAlive.repeat(9) + closing));
    expect(answer.match(/page \d/g)).toEqual([..."0123456789"].map((digit) => `page ${digit}`));
    expect(most).toBe(1);
  });

  test("know nothing of those before them", async () => {
    const store = new AsyncLocalStorage<string>();
    const door = await openDoor({}, async () => {
      const known = store.getStore() ?? "nothing";
      await Promise.resolve();
      store.enterWith("the one before");
      return `knows ${known}`;
    });
    const answer = await text(await door.open("127.0.0.2", keptAlive.repeat(2) + closing));
    expect(answer.match(/knows .*?(?=HTTP|$)/g)).toEqual(Array(3).fill("knows nothing"));
  });

  test("60,000 on each connection, with no answer read, are cut off, and others do not wait", async () => {
    const connections = 20;
    const door = await openDoor({}, async () => "a page".repeat(1_000));
    const many = keptAlive.repeat(60_000);
    for (let nth = 0; nth < connections; nth++) await door.open("127.0.0.2", many);
    const { answer, ms } = await door.ask("127.0.0.3");
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(ms).toBeLessThan(500);
    await expect.poll(() => countOpen(door)).toBe(0);
    expect(door.served()).toBeLessThanOrEqual(connections * 11 + 1);
  });
});

describe("a response", () => {
  const large = "x".repeat(30_000_000);

  test("that nobody reads is ended", async () => {
    const door = await openDoor({}, async () => large);
    door.server.timeout = 100;
    const socket = await door.open("127.0.0.2", keptAlive);
    await expect.poll(() => countOpen(door)).toBe(0);
    expect(socket.bytesRead).toBeLessThan(large.length);
  });

  test("that takes its time is not", async () => {
    let finish = (_page: string) => {};
    const door = await openDoor({}, () => new Promise((resolve) => (finish = resolve)));
    door.server.timeout = 100;
    const timedOut = once(door.server, "timeout");
    const answer = text(await door.open("127.0.0.2", closing));
    await timedOut;
    finish("a page");
    expect(await answer).toMatch(answered);
  });
});
