import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { configured, testEngine } from "@/tests/support/harness";
import { listen } from "../listen";
import { createFrontDoor } from "./front-door";

// The decoder of server actions makes a stream of each name such as "$R1": 28,000 of them, in 250 KB, took the
// only thread for a second.
const engine = await testEngine();
const id = `40${"0123456789abcdef".repeat(3).slice(0, 40)}`;
const server = createFrontDoor({
  actions: new Set([id]),
  engine: configured(engine, { PUBLIC_URL: [] }),
  next: async (request, response) => void response.end(await text(request)),
});
const gateway = `http://127.0.0.1:${await listen(server, "127.0.0.1", 0)}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const boundary = "----form";
const typeOf = `multipart/form-data; boundary=${boundary}`;

function part(name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}
const formOf = (...parts: string[]) => `${parts.join("")}--${boundary}--\r\n`;
const references = (count: number, one = "$R") =>
  `[${Array.from({ length: count }, (_, at) => `"${one}${at.toString(16)}"`).join(",")}]`;

interface Sent {
  type?: string;
  path?: string;
  action?: string;
}

async function post(body: string, { type = typeOf, path = "/sign-in", action = id }: Sent = {}) {
  const headers = {
    "Content-Type": type,
    Origin: gateway,
    ...(action && { "Next-Action": action }),
  };
  const response = await fetch(gateway + path, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}

describe("200, and nothing of it is lost", () => {
  test.each([
    ["a form with a hundred references", formOf(part("0", references(100)), part("_1_email", "x"))],
    [
      "typed text that looks like references",
      formOf(part("0", '["$K1"]'), part("_1_content", references(500))),
    ],
    ["typed text in a form without scripts", formOf(part("content", references(500)))],
    [
      "typed text that a form brings back",
      formOf(
        part(
          "0",
          JSON.stringify([{ values: [references(500), ...Array(200).fill("$$5")] }, "$K1"]),
        ),
      ),
    ],
  ])("for %s", async (_what, body) => {
    expect(await post(body)).toEqual({ status: 200, text: body });
  });

  test("for arguments without a form", async () => {
    const body = '["did:prof:user:local:alice","$undefined"]';
    expect(await post(body, { type: "text/plain;charset=UTF-8" })).toEqual({
      status: 200,
      text: body,
    });
  });

  test("for a form with a file, as Node.js and browsers write one", async () => {
    const body = new FormData();
    body.set("0", '["$K1"]');
    body.set("_1_file", new File(["x".repeat(10)], "a.json"));
    const headers = { "Next-Action": id, Origin: gateway };
    const response = await fetch(`${gateway}/sign-in`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
  });
});

describe("400, for more than a hundred references", () => {
  test.each([
    ["in a form", formOf(part("0", references(101)))],
    ["that are escaped", formOf(part("0", references(101, "\\u0024R")))],
    [
      "in parts of their own",
      formOf(...Array.from({ length: 101 }, (_, at) => part(`${at}`, '["$R1"]'))),
    ],
    ["in a part whose number is none", formOf(part("0", '["$zz"]'), part("NaN", references(101)))],
    ["in a part of a great number", formOf(part("1e+21", references(101)))],
    ["in a form without scripts", formOf(part("$ACTION_1:0", references(101)))],
  ])("%s", async (_where, body) => {
    for (const action of [id, ""]) {
      expect(await post(body, { action })).toMatchObject({
        status: 400,
        text: expect.stringContaining("more than 100 references"),
      });
    }
  });

  test.each(["text/plain;charset=UTF-8", "application/json", "x"])("as %s", async (type) => {
    expect(await post(references(101), { type })).toMatchObject({ status: 400 });
  });
});

describe("400, for a form that can be read in two ways", () => {
  const many = references(101);
  const head = 'Content-Disposition: form-data; name="x"';
  test.each([
    ["two names", `--${boundary}\r\n${head}; name="0"\r\n\r\n${many}\r\n--${boundary}--\r\n`],
    [
      "a name in other letters",
      `--${boundary}\r\n${head}; name*=utf-8''0\r\n\r\n${many}\r\n--${boundary}--\r\n`,
    ],
    [
      "letters of its own",
      `--${boundary}\r\n${head}\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\n${many}\r\n--${boundary}--\r\n`,
    ],
    [
      "two heads",
      `--${boundary}\r\n${head}\r\nContent-Disposition: form-data; name="0"\r\n\r\n${many}\r\n--${boundary}--\r\n`,
    ],
    ["something before it", `z${formOf(part("x", many))}`],
    ["no end", part("x", many)],
    ["something behind it", `${formOf(part("x", many))}--other\r\n`],
  ])("%s", async (_what, body) => {
    expect(await post(body)).toMatchObject({ status: 400 });
  });

  test.each([
    `multipart/form-data; boundary=other; boundary=${boundary}`,
    `multipart/form-data; charset=utf-16le; boundary=${boundary}`,
    `multipart/form-data; boundary="${boundary}"`,
    "multipart/form-data",
    `multipart/mixed; boundary=${boundary}`,
    ` multipart/form-data; boundary=${boundary};`,
  ])("%s", async (type) => {
    expect(await post(formOf(part("x", many)), { type })).toMatchObject({ status: 400 });
  });
});
