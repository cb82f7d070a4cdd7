import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBody } from "@/lib/http/body";
import { peerOf } from "@/lib/http/peer";
import { securityHeaders } from "@/lib/http/security-headers";
import { testEngine } from "@/tests/support/harness";
import { createFrontDoor } from "./front-door";

let server: Server;
let port: number;
let seen: { peer: string | null; body: string; forwardedHost: string | null }[];

const cookies: (string | undefined)[] = [];

const engine = await testEngine({
  PEER_LIMIT: "100000",
  PUBLIC_URL: "http://gateway.example",
});

beforeAll(async () => {
  server = createFrontDoor({
    engine,
    protocolRoute:
      () =>
      async ({ method, segments, fields, body }) => {
        const forwardedHost = fields.get("x-forwarded-host");
        const bytes = Buffer.from(await readBody(body));
        seen.push({ peer: peerOf(fields, 0), body: bytes.toString(), forwardedHost });
        const headers = Object.entries(securityHeaders({ https: false })).flat();
        return { status: 200, headers, text: `${method} /${segments?.join("/")}` };
      },
    next: async (request, response) => {
      cookies.push(request.headers.cookie);
      response.end("a page");
    },
  });
  seen = [];
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Bytes in, bytes out: what a client library would never send. */
async function context(bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

function request(line: string, headers: string[] = [], body = ""): string {
  const all = ["Host: gateway.example", "Connection: close", ...headers];
  return `${line} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n${body}`;
}

function host(name: string): string {
  return `GET /prof/v1/x HTTP/1.1\r\nConnection: close\r\nHost: ${name}\r\n\r\n`;
}

const signature = 'Authorization: PROF-Signature did="x"';

describe("refused before any route, in the envelope, with every header", () => {
  test.each([
    ["two Host headers", request("GET /prof/v1/x", ["Host: other.example"])],
    ["an absolute-form target", request("GET http://gateway.example/prof/v1/x")],
    ["an asterisk target", request("OPTIONS *")],
    ["a percent-encoding that is not UTF-8", request("GET /prof/v1/%ff")],
    ["a cut percent-encoding", request("GET /prof/v1/x%2")],
    ["two slashes in a row", request("GET //prof/v1/x")],
    ["two slashes further on", request("GET /prof/v1//x")],
    ["a backslash", request("GET /prof\\v1/x")],
    ["an encoded backslash", request("GET /prof/v1/a%5cb")],
    ["an encoded slash", request("GET /prof/v1/a%2Fb")],
    ["an encoded NUL", request("GET /prof/v1/a%00b")],
    ["a dot segment", request("GET /prof/v1/../v1/x")],
    ["an encoded dot segment", request("GET /prof/v1/%2e%2e/x")],
    ["a fragment", request("GET /prof/v1/x#y")],
    ["a bad percent-encoding in the query", request("GET /prof/v1/x?a=%ff")],
    ["101 query parameters", request(`GET /sign-in?${"a=&".repeat(100)}a=`)],
    ["a query parameter behind 100 ampersands", request(`GET /sign-in?${"&".repeat(100)}a=`)],
    ["a body on GET", request("GET /prof/v1/x", ["Content-Length: 2"], "{}")],
    [
      "a chunked body on GET",
      request("GET /prof/v1/x", ["Transfer-Encoding: chunked"], "0\r\n\r\n"),
    ],
    [
      "Content-Length beside Transfer-Encoding",
      request("POST /prof/v1/x", ["Content-Length: 3", "Transfer-Encoding: chunked"], "0\r\n\r\n"),
    ],
    ["two Content-Lengths", request("POST /prof/v1/x", ["Content-Length: 1", "Content-Length: 2"])],
    ["a Content-Length that is no number", request("POST /prof/v1/x", ["Content-Length: 1x"])],
    ["a space before a header's colon", request("GET /prof/v1/x", ["Content-Length : 0"])],
    ["a folded header", request("GET /prof/v1/x", ["X-A: 1\r\n 2"])],
    ["a bare line feed", "GET /prof/v1/x HTTP/1.1\nHost: gateway.example\n\n"],
    ["an empty Host", "GET /prof/v1/x HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n"],
    ["a user in Host", host("alice@gateway.example")],
    ["a path in Host", host("gateway.example/a?b#c")],
    ["a space in Host", host("gateway example")],
    ["a port in Host that is none", host("gateway.example:99999")],
    ["half an IPv6 address in Host", host("[::1")],
    ["an expectation of another kind", request("GET /prof/v1/x", ["Expect: 200-ok"])],
    ["CONNECT", request("CONNECT gateway.example:443")],
    ["no Host", "GET /prof/v1/x HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["what is not HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
  ])("%s", async (_name, bytes) => {
    const before = seen.length;
    const answer = await context(bytes);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    for (const name of ["x-request-id", "prof-version", "x-ratelimit-limit", "cache-control"]) {
      expect(head.toLowerCase()).toContain(`\r\n${name}: `);
    }
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: "PROF006" } });
    expect(seen).toHaveLength(before);
  });

  test("two Authorization headers name nobody: 401 PROF001", async () => {
    const answer = await context(request("GET /prof/v1/x", [signature, signature]));
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*PROF001/);
  });

  test("headers over 16 KiB", async () => {
    const answer = await context(request("GET /prof/v1/x", [`X-Long: ${"a".repeat(17_000)}`]));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain("PROF006");
  });
});

describe("a declared length", () => {
  const declared = (target: string, ...headers: string[]) =>
    request(`POST ${target}`, ["Content-Length: 999999999", ...headers]);

  test.each(["/prof/v1/x", "/api/agents", "/api/profiles/did:prof:user:local:alice/tokens"])(
    "over 64 KiB is refused before the body comes, and no client is asked for it: %s",
    async (target) => {
      const before = seen.length;
      for (const headers of [[], ["Expect: 100-continue"]]) {
        const began = performance.now();
        const answer = await context(declared(target, ...headers));
        expect(performance.now() - began).toBeLessThan(5_000);
        expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"PROF006"[\s\S]*64 KiB/);
        expect(answer).toMatch(/\r\nConnection: close\r\n/i);
      }
      expect(seen).toHaveLength(before);
    },
  );

  test.each([
    ["/sign-up", 16],
    ["/dashboardx", 16],
    ["/dashboard/memories", 256],
    ["/admin", 256],
  ])("of a form to %s is refused over %i KiB", async (target, kib) => {
    const sized = (bytes: number) => request(`POST ${target}`, [`Content-Length: ${bytes}`]);
    expect(await context(sized(kib * 1024 + 1))).toMatch(
      new RegExp(`^HTTP/1.1 400 [\\s\\S]*The form must be at most ${kib} KiB`),
    );
    const socket = connect(port, "127.0.0.1");
    socket.write(sized(kib * 1024) + "x".repeat(kib * 1024));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(["/api/profile/import", "/api/profile/memories/import"])(
    "of an import to %s is the import's to bound",
    async (target) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(declared(target));
      const [answer] = await once(socket, "data");
      socket.destroy();
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  test("within the bound is asked for where the client waits for that", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(request("POST /prof/v1/x", ["Content-Length: 2", "Expect: 100-continue"]));
    const [first] = await once(socket, "data");
    expect(String(first)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("{}");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(seen.at(-1)?.body).toBe("{}");
  });

  test("of 11 MB that are sent nevertheless does not cost a client its answer", async () => {
    for (let nth = 0; nth < 5; nth++) {
      const body = Buffer.alloc(11_000_000);
      const response = await fetch(`http://127.0.0.1:${port}/prof/v1/x`, { method: "POST", body });
      expect([response.status, (await response.json()).error.code]).toEqual([400, "PROF006"]);
    }
  });
});

describe("the peer", () => {
  test("is the socket's address, whatever a client writes", async () => {
    const forged = ["X-Gateway-Peer: 203.0.113.9", "X-Forwarded-For: 203.0.113.9"];
    await context(request("GET /prof/v1/x", forged));
    expect(seen.at(-1)?.peer).toBe("127.0.0.1");
  });
});

describe("headers that only a proxy may set", () => {
  test("is taken from clients while no proxy is ours", async () => {
    await context(request("GET /prof/v1/x", ["X-Forwarded-Host: evil.example"]));
    expect(seen.at(-1)?.forwardedHost).toBeNull();
  });
});

describe("on the way", () => {
  test("under /prof a request reaches its route with its body", async () => {
    const answer = await context(request("POST /prof/v1/x", ["Content-Length: 2"], "{}"));
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*POST \/prof\/v1\/x$/);
    expect(seen.at(-1)?.body).toBe("{}");
  });

  test("bytes after a request do not replace its answer", async () => {
    const answer = await context(`${request("GET /prof/v1/x")}\x00 no request at all\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*GET \/prof\/v1\/x$/);
  });

  test("a body whose framing breaks is refused once, and its route is not heard any more", async () => {
    const chunked = ["Transfer-Encoding: chunked"];
    const answer = await context(request("POST /prof/v1/x", chunked, "2\r\n{}\r\nzz\r\n"));
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*PROF006/);
    expect(answer.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1);
  });

  test("TRACE reaches the route that refuses it", async () => {
    expect(await context(request("TRACE /prof/v1/x"))).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each(["/", "/profile", "/profx/v1", "/api/health"])("%s goes to Next", async (path) => {
    expect(await context(request(`GET ${path}`))).toMatch(/a page$/);
  });

  test("Next gets the gateway's own cookies and no others", async () => {
    await context(request("GET /sign-in", ["Cookie: a=%F0; theme=dark; b=2"]));
    expect(cookies.at(-1)).toBe("theme=dark");
  });

  test("every answer carries the security headers, pages too", async () => {
    for (const path of ["/prof/v1/x", "/", "/prof/v1/%ff"]) {
      const answer = (await context(request(`GET ${path}`))).toLowerCase();
      expect(answer).toContain("x-content-type-options: nosniff");
      expect(answer).toContain("frame-ancestors 'none'");
      expect(answer).toContain("referrer-policy: no-referrer");
      expect(answer).not.toContain("x-powered-by");
    }
  });

  test("a HEAD request gets the headers and no body", async () => {
    expect(await context(request("HEAD /prof/v1/x"))).toMatch(/\r\n\r\n$/);
  });
});
