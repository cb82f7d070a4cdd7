import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { LimiterFull } from "@/lib/engine/load/keyed-limiter";
import { notFound } from "@/lib/protocol/errors";
import { testEngine } from "@/tests/support/harness";
import { answeringPage, missing, pageFailed } from "./page-failure";

await testEngine();
let failure: Error;
// As Next.js does with a page that throws.
const server = createServer((_request, response) =>
  answeringPage(response, async () => {
    pageFailed(failure);
    response.writeHead(500);
    response.end();
  }),
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

test.each<[string, Error, number]>([
  ["met a bug", new TypeError("canary"), 500],
  ["found no connection", new LimiterFull(), 503],
  ["got a broken form", new Error("Unexpected end of form"), 400],
  ["shows a profile that was deleted in the meantime", notFound("profile"), 404],
])("a page that %s says so", async (_what, error, status) => {
  failure = error;
  expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(status);
});

test.each([
  ["text/html; charset=utf-8", 404],
  ["text/x-component", 200],
])("a page with no more than words for nothing, as %s: %d", async (type, status) => {
  const words = createServer((_request, response) =>
    answeringPage(response, async () => {
      response.setHeader("Content-Type", type);
      response.end(missing("nothing"));
    }),
  );
  await new Promise<void>((resolve) => words.listen(0, "127.0.0.1", resolve));
  const { port: at } = words.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${at}`)).status).toBe(status);
  words.close();
});
