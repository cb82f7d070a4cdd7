import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { configured, testEngine } from "@/tests/support/harness";
import { listen } from "../listen";
import { createFrontDoor } from "./front-door";

const engine = await testEngine();
const id = `40${"0123456789abcdef".repeat(3).slice(0, 40)}`;
const server = createFrontDoor({
  actions: new Set([id]),
  engine: configured(engine, { PUBLIC_URL: ["https://gateway.example"] }),
  next: async (_request, response) => void response.end("from Next"),
});
const port = await listen(server, "127.0.0.1", 0);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function send(line: string, ...headers: string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const all = ["Host: gateway.example", "Connection: close", ...headers];
  socket.write(`${line} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n`);
  return text(socket);
}

describe("405, with what the path takes", () => {
  const page = "GET, HEAD, POST";
  const route = `${page}, PUT, PATCH, DELETE, OPTIONS`;
  test.each([
    ["TRACE /sign-in", page],
    ["PURGE /", page],
    ["PATCH /dashboard", page],
    ["OPTIONS /nowhere", page],
    ["TRACE /api/health", route],
    ["PROPFIND /api/profiles", route],
  ])("%s", async (line, allow) => {
    const answer = await send(line);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toContain(`\r\nAllow: ${allow}\r\n`);
    expect(answer).toContain("frame-ancestors 'none'");
  });

  test.each(["GET /sign-in", "HEAD /", "POST /sign-in", "DELETE /api/x", "OPTIONS /api/x"])(
    "not %s",
    async (line) => expect(await send(line)).toMatch(/^HTTP\/1\.1 200 /),
  );
});

describe("an action id", () => {
  test.each(["x", "canary\ttext", `${id}0`, id.toUpperCase(), `${id}, ${id}`, "constructor", ""])(
    "that no action has is 400, and is not repeated: %j",
    async (sent) => {
      for (const line of ["POST /sign-in", "POST /api/x", "GET /sign-in"]) {
        const answer = await send(line, `Next-Action: ${sent}`);
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
        expect(answer).not.toContain("canary");
      }
    },
  );

  test("that no action has any more is 404, with the header that scripts of Next.js know", async () => {
    const own = "Origin: https://gateway.example";
    const answer = await send("POST /sign-in", `Next-Action: ${"4".repeat(42)}`, own);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain("\r\nx-nextjs-action-not-found: 1\r\n");
    expect(answer).not.toContain("444");
  });

  test("that an action has goes to Next", async () => {
    const own = "Origin: https://gateway.example";
    expect(await send("POST /sign-in", `Next-Action: ${id}`, own)).toMatch(/from Next$/);
  });

  test("from another site is 403 wherever it is sent to", async () => {
    for (const path of ["/sign-in", "/foo.bar", "/nowhere", "/api/nowhere", "/_next/x"]) {
      const answer = await send(
        `POST ${path}`,
        `Next-Action: ${id}`,
        "Origin: https://evil.example",
      );
      expect(answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*Another site made this request/);
      expect(answer).toContain("open it at https://gateway.example.");
    }
  });
});

describe("a form from another site", () => {
  const types = ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded"];
  test.each(types)("is 403 at whichever path, as %s", async (type) => {
    for (const path of ["/foo.bar", "/nowhere", "/api/nowhere"]) {
      for (const site of ["Origin: null", "Origin: no address", "Sec-Fetch-Site: cross-site"]) {
        const answer = await send(`POST ${path}`, `Content-Type: ${type}`, site);
        expect(answer).toMatch(/^HTTP\/1\.1 403 /);
      }
    }
  });

  test("that is an import is the import's to refuse, on the page that it came from", async () => {
    const foreign = [`Content-Type: ${types[0]}`, "Origin: https://evil.example"];
    expect(await send("POST /api/profile/import", ...foreign)).toMatch(/from Next$/);
  });
});
