import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { seenAs } from "@/lib/services/accounts/secret-token";
import { configured, testEngine } from "@/tests/support/harness";
import { listen } from "../listen";
import { createFrontDoor } from "./front-door";

const engine = await testEngine();

let cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups) cleanup();
  cleanups = [];
});

interface UnderWay {
  url: string;
  response: ServerResponse;
  finish: () => void;
}

/** Keeps the thread busy until the test ends, so that no place is given back because the thread idles. */
function keepBusy(): void {
  let isOver = false;
  const turn = () => {
    if (!isOver) setImmediate(turn);
  };
  turn();
  cleanups.push(() => {
    isOver = true;
  });
}

/** A front door whose pages end when the test says so. */
async function openDoor({
  settings = {},
  idles = false,
  begin = () => {},
}: {
  settings?: object;
  idles?: boolean;
  begin?: (request: IncomingMessage, response: ServerResponse) => void;
} = {}) {
  if (!idles) keepBusy();
  const underWay: UnderWay[] = [];
  const server = createFrontDoor({
    engine: configured(engine, settings),
    protocolRoute: () => async () => ({ status: 200, headers: [], text: "from /prof" }),
    next: async (request, response) => {
      const url = (request.url ?? "").replace(personal, "");
      begin(request, response);
      await new Promise<void>((finish) => underWay.push({ url, response, finish }));
      response.end(`page of ${url} ${await buffer(request)}`);
    },
  });
  const port = await listen(server, "127.0.0.1", 0);
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  async function open(localAddress: string, bytes: string): Promise<Socket> {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    socket.on("error", () => socket.destroy());
    cleanups.push(() => socket.destroy());
    await once(socket, "connect");
    // Each network has an account of its own.
    engine.seenSessions.set(seenAs(localAddress), `usr_${localAddress}`);
    socket.write(bytes.replaceAll("gateway-session=x", `gateway-session=${localAddress}`));
    return socket;
  }
  const started = () => underWay.map(({ url }) => url);
  return { open, underWay, started };
}

const personal = "/dashboard";

const cookie = "Cookie: gateway-session=x\r\n";

/** Of a page that somebody signed in may see, unless it is no page. */
function get(path: string, more = "Connection: close\r\n"): string {
  const isPage = !/^\/(api|_next|prof)\//.test(path);
  return getAnything(isPage ? `${personal}${path}` : path, cookie + more);
}

function getAnything(path: string, more = "Connection: close\r\n"): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
}

function post(path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
}

const [attacker, other] = ["127.0.0.2", "127.0.0.3"];
const html = (_request: IncomingMessage, response: ServerResponse) =>
  void response.setHeader("Content-Type", "text/html; charset=utf-8");

test("660 pages that one peer asks for at once leave places for others, and for the protocol and probes", async () => {
  const door = await openDoor();
  const burst = get("/burst", "").repeat(11);
  for (let nth = 0; nth < 60; nth++) await door.open(attacker, burst);
  await expect.poll(() => door.underWay.length).toBe(1);
  const page = text(await door.open(other, get("/page")));
  const probe = text(await door.open(other, get("/api/health")));
  const file = text(await door.open(other, get("/_next/static/x.js")));
  expect(await text(await door.open(other, get("/prof/v1/x")))).toMatch(/from \/prof$/);
  await expect.poll(() => door.underWay.length).toBe(4);
  for (const { finish } of door.underWay.slice(1)) finish();
  expect(await page).toMatch(/page of \/page $/);
  expect(await probe).toMatch(/page of \/api\/health $/);
  expect(await file).toMatch(/page of \/_next\/static\/x.js $/);
  expect(door.started().filter((url) => url === "/burst")).toHaveLength(1);
});

test("of what strangers ask for, by any path or with an invented cookie, one is under way, in turn by peer, and they keep no other page waiting", async () => {
  const door = await openDoor();
  const invented = "Cookie: gateway-session=y\r\n";
  for (const path of ["/sign-in", "/", "/api/profiles"]) {
    await door.open(attacker, getAnything(path, path === "/" ? "" : invented));
  }
  await expect.poll(door.started).toEqual(["/sign-in"]);
  await door.open(other, getAnything("/dashboard/none", invented));
  await door.open(attacker, get("/access"));
  await door.open(attacker, getAnything("/dashboard/settings"));
  await expect.poll(door.started).toEqual(["/sign-in", "/access"]);
  door.underWay[0]?.finish();
  await expect.poll(() => door.started()[2]).toBe("/");
  door.underWay[2]?.finish();
  await expect.poll(() => door.started()[3]).toBe("/none");
});

test("of the pages of one account one is under way, from however many networks, and those of the docs have a line of their own", async () => {
  const door = await openDoor();
  const own = "Cookie: gateway-session=own\r\n";
  engine.seenSessions.set(seenAs("own"), "usr_own");
  for (const [nth, from] of ["127.0.0.4", "127.0.0.5", "127.0.0.6"].entries()) {
    await door.open(from, getAnything(`/dashboard/${nth}`, own));
  }
  await expect.poll(door.started).toEqual(["/0"]);
  await door.open(other, get("/page"));
  await door.open(attacker, getAnything("/docs/limits"));
  await door.open(other, getAnything("/sign-in"));
  await expect
    .poll(() => door.started().toSorted())
    .toEqual(["/0", "/docs/limits", "/page", "/sign-in"]);
});

test("a stranger who wants to sign in waits for no other page of strangers that waits", async () => {
  const door = await openDoor();
  for (const path of ["/link/x", "/link/y"]) await door.open(attacker, getAnything(path));
  await expect.poll(door.started).toEqual(["/link/x"]);
  await door.open("127.0.0.4", getAnything("/link/z"));
  await door.open(other, getAnything("/sign-in"));
  door.underWay[0]?.finish();
  await expect.poll(() => door.started()[1]).toBe("/sign-in");
});

test("a file whose reader is gone leaves no timer behind", async () => {
  const door = await openDoor({ idles: true });
  const timers = () => process.getActiveResourcesInfo().filter((one) => one === "Timeout").length;
  const before = timers();
  for (let nth = 0; nth < 20; nth++) {
    const gone = await door.open(attacker, get(`/_next/static/${nth}`));
    await expect.poll(() => door.underWay.length).toBe(nth + 1);
    door.underWay[nth]?.response.writeHead(200, { "Content-Type": "text/javascript" });
    gone.destroy();
  }
  await expect.poll(timers).toBeLessThan(before + 10);
});

test("of the forms that strangers send, and of their requests to sign in, one is under way, and they keep no page waiting", async () => {
  const door = await openDoor();
  await door.open(attacker, post("/sign-in", 0));
  await expect.poll(door.started).toEqual(["/sign-in"]);
  for (const path of ["/sign-up", "/api/auth/callback/credentials"]) {
    await door.open(other, post(path, 0));
  }
  await door.open(attacker, getAnything("/docs"));
  await door.open(attacker, get("/access"));
  await door.open(other, get("/api/profiles"));
  const others = ["/docs", "/access", "/api/profiles"].toSorted();
  await expect.poll(() => door.started().slice(1).toSorted()).toEqual(others);
  door.underWay[0]?.finish();
  await expect.poll(() => door.started()[4]).toBe("/sign-up");
});

test("a request whose connection closes leaves the queue", async () => {
  const door = await openDoor();
  await door.open(attacker, get("/1"));
  await expect.poll(door.started).toEqual(["/1"]);
  const gone = await door.open(attacker, get("/2"));
  await door.open(attacker, get("/3"));
  gone.destroy();
  const last = text(await door.open(attacker, get("/4")));
  await text(await door.open(other, get("/prof/v1/x")));
  for (let nth = 0; nth < 3; nth++) {
    await expect.poll(() => door.underWay[nth] !== undefined).toBe(true);
    door.underWay[nth]?.finish();
  }
  expect(await last).toMatch(/page of \/4 $/);
  expect(door.started()).toEqual(["/1", "/3", "/4"]);
});

test("the 65th that waits of a peer is 503 with Retry-After, as text or in the envelope", async () => {
  const door = await openDoor({ settings: { MAX_CONNECTIONS_PER_PEER: 100 } });
  for (let nth = 0; nth < 65; nth++) await door.open(attacker, get("/page"));
  const page = await text(await door.open(attacker, get("/page")));
  expect(page).toMatch(
    /^HTTP\/1\.1 503 [\s\S]*Retry-After: 5\r\n[\s\S]*waiting\. Send this one again/,
  );
  const api = await text(await door.open(attacker, get("/api/profiles")));
  expect(api).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: 5\r\n[\s\S]*"PROF503"/);
});

describe("a place is given back", () => {
  /** A request of a peer, and one more that starts once the first has given its place back. */
  async function second(door: Awaited<ReturnType<typeof openDoor>>, first: string): Promise<void> {
    await door.open(attacker, first);
    await door.open(attacker, get("/second"));
    await expect.poll(door.started).toContain("/second");
  }

  test("by a stream, with its headers", async () => {
    const door = await openDoor({ begin: (_request, response) => void response.flushHeaders() });
    await second(door, get("/stream"));
  });

  test("by a page that nobody reads, as soon as it is rendered", async () => {
    const writes: boolean[] = [];
    const begin = (request: IncomingMessage, response: ServerResponse) => {
      html(request, response);
      for (let nth = 0; nth < 20; nth++) writes.push(response.write(Buffer.alloc(1024 * 1024)));
      response.end();
    };
    const door = await openDoor({ begin });
    await second(door, get("/page"));
    expect(new Set(writes)).toEqual(new Set([true]));
  });

  test("by what waits for something else while the thread idles, such as a lock", async () => {
    await second(await openDoor({ idles: true }), get("/slow"));
  });

  test("within 100 ms by each of 20 requests that wait for a lock while the thread idles", async () => {
    const door = await openDoor({ idles: true });
    for (let nth = 0; nth < 21; nth++) await door.open(attacker, get(`/${nth}`));
    await expect.poll(() => door.started().length, { timeout: 2_000 }).toBe(21);
  });

  test("not by what waits while the thread is busy, nor by a page whose reader hangs up", async () => {
    const door = await openDoor({ begin: html });
    const reader = await door.open(attacker, get("/1"));
    await expect.poll(door.started).toEqual(["/1"]);
    const closed = door.underWay.map(({ response }) => once(response, "close"));
    reader.destroy();
    await Promise.all(closed);
    await door.open(attacker, get("/2"));
    await text(await door.open(attacker, get("/prof/v1/x")));
    expect(door.started()).toEqual(["/1"]);
    door.underWay[0]?.finish();
    await expect.poll(door.started).toEqual(["/1", "/2"]);
  });
});

describe("a form", () => {
  test("takes no place until its body is there, and arrives whole", async () => {
    const door = await openDoor();
    const slow = await Promise.all(
      [1, 2, 3].map((nth) => door.open(attacker, `${post(`${personal}/slow${nth}`, 200_000)}x`)),
    );
    const page = text(await door.open(attacker, get("/page")));
    await expect.poll(door.started).toEqual(["/page"]);
    door.underWay[0]?.finish();
    await page;
    const [first] = slow;
    first?.write("x".repeat(199_999));
    await expect.poll(door.started).toEqual(["/page", "/slow1"]);
    door.underWay[1]?.finish();
    expect(await text(first as Socket)).toMatch(/page of \/slow1 x{200000}$/);
  });

  test("that comes with its headers, or in pieces without a length, arrives whole", async () => {
    const door = await openDoor();
    const chunked = "POST /api/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n";
    const answers = [
      text(await door.open(attacker, `${post("/sign-in", 3)}abc`)),
      text(await door.open(attacker, `${chunked}Connection: close\r\n\r\n2\r\nab\r\n0\r\n\r\n`)),
      text(await door.open(other, `${chunked}Connection: close\r\n\r\n0\r\n\r\n`)),
    ];
    await expect.poll(() => door.underWay.length).toBe(3);
    for (const { finish } of door.underWay) finish();
    const [declared, pieces, empty] = await Promise.all(answers);
    expect(declared).toMatch(/page of \/sign-in abc$/);
    expect(pieces).toContain("page of /api/x ab");
    expect(empty).toContain("page of /api/x ");
  });
});

test("clients behind a proxy of ours are told apart by the address that it wrote", async () => {
  const door = await openDoor({ settings: { TRUST_PROXY_HOPS: 1 } });
  const file = (nth: number) => `/_next/static/${nth}`;
  const from = (peer: string, nth: number) =>
    door.open(attacker, get(file(nth), `X-Forwarded-For: ${peer}\r\n`));
  for (const nth of [1, 2, 3]) await from("203.0.113.1", nth);
  await expect.poll(door.started).toEqual([file(1), file(2)]);
  await from("203.0.113.2", 4);
  await expect.poll(door.started).toEqual([file(1), file(2), file(4)]);
});
