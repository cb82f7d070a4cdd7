import { describe, expect, test } from "vitest";
import { endpoints } from "@/lib/protocol/endpoints";
import { inProcess, testEngine } from "@/tests/support/harness";
import { replyOf } from "@/tests/support/wire";
import * as profileRoute from "../v1/profile/[did]/route";
import { GET, POST } from "./route";

await testEngine();

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"];

function send(method: string, path: string): Promise<Response> {
  return inProcess(`http://gateway.test${path}`, { method });
}

describe("404 PROF003", () => {
  test.each([
    "/prof",
    "/prof/",
    "/prof/v1",
    "/prof/v2/profile/did:prof:user:local:alice",
    "/prof/v1/profiles",
    "/prof/v1/profile/did:prof:user:local:alice/",
    "/prof/v1/profile/did:prof:user:local:alice/memory",
    "/prof/v1/profile/did:prof:user:local:alice/proposals/prop_1",
    "/prof/v1/profile/did:prof:user:local:alice/access/more",
    "/prof/V1/profile",
  ])("%s, by any method but HEAD in the envelope", async (path) => {
    for (const method of methods.filter((name) => name !== "HEAD")) {
      const reply = await replyOf(await send(method, path));
      expect(reply).toMatchObject({ status: 404, body: { error: { code: "PROF003" } } });
    }
    expect((await send("HEAD", path)).status).toBe(404);
  });

  test("the route that Next.js finds answers the same", async () => {
    for (const route of [GET, POST]) {
      const reply = await replyOf(await route(new Request("http://gateway.test/prof/x")));
      expect(reply).toMatchObject({ status: 404, body: { error: { code: "PROF003" } } });
    }
  });
});

describe("404 PROF003 with a hint, where the owner's DID is missing", () => {
  test.each([
    ["/prof/v1/profile/access", "access"],
    ["/prof/v1/profile/memories", "memories"],
    ["/prof/v1/profile/proposals", "proposals"],
    ["/prof/v1/profile/proposals/prop_1/review", "proposals"],
    ["/prof/v1/profile/memories/access", "memories"],
  ])("%s, by any method and behind both doors", async (path, name) => {
    for (const method of methods.filter((one) => one !== "HEAD")) {
      const routes: Record<string, (request: Request) => Promise<Response>> = { ...profileRoute };
      const answers = [
        await send(method, path),
        await routes[method]?.(new Request(`http://gateway.test${path}`, { method })),
      ];
      for (const answer of answers) {
        const { status, body } = await replyOf(answer ?? Response.error());
        expect([status, body.error?.code]).toEqual([404, "PROF003"]);
        expect(body.error?.message).toContain(`/prof/v1/profile/{did}/${name}`);
      }
    }
  });
});

describe("405 PROF006", () => {
  test.each(Object.values(endpoints).map(({ name, method, path }) => [name, method, path]))(
    "%s takes %s only, and Allow says so",
    async (_name, own, path) => {
      const filled = path
        .replace("{did}", "did:prof:user:local:alice")
        .replace("{proposalId}", "prop_1");
      for (const method of methods.filter((name) => name !== own && name !== "HEAD")) {
        const reply = await replyOf(await send(method, filled));
        expect(reply).toMatchObject({ status: 405, body: { error: { code: "PROF006" } } });
        expect(reply.headers.get("Allow")).toBe(own);
      }
      expect((await send("HEAD", filled)).status).toBe(405);
    },
  );
});

test("the specification's six endpoints and two variants have a route each, and there is no other", () => {
  const table = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
  expect(table.toSorted()).toEqual([
    "GET /prof/v1/profile",
    "GET /prof/v1/profile/{did}",
    "GET /prof/v1/profile/{did}/memories",
    "GET /prof/v1/profile/{did}/proposals",
    "POST /prof/v1/profile/memories/propose",
    "POST /prof/v1/profile/{did}/access",
    "POST /prof/v1/profile/{did}/memories/propose",
    "POST /prof/v1/profile/{did}/proposals/{proposalId}/review",
  ]);
});
