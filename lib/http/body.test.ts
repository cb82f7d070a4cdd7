import { describe, expect, test } from "vitest";
import { inProcess, testEngine } from "@/tests/support/harness";
import { type Minted, mintAgent, mintOwner } from "@/tests/support/personas";
import { call, issuePaths, profilePath, replyOf } from "@/tests/support/wire";
import { bodyBytesMax } from "./body";

// Spec, Common request headers (Content-Type) and Limits 5; Protocol 8.
const engine = await testEngine();
const { did } = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
const target = profilePath(did, "/memories/propose");
const tea = `{"content":"Prefers tea.","category":"prof:a"}`;

function propose({ client }: Minted, body: string, headers?: Record<string, string | null>) {
  return call(client, { method: "POST", target, body }, headers);
}

/** The same proposal, filled up with a member that nobody reads. */
function ofSize(bytes: number): string {
  const filled = (length: number) => `${tea.slice(0, -1)},"pad":"${"x".repeat(length)}"}`;
  return filled(bytes - filled(0).length);
}

const tooLarge = {
  status: 400,
  body: { success: false, error: { code: "PROF006", details: { issues: [{ path: "body" }] } } },
};

describe("the size of a body", () => {
  test("may be 64 KiB, and not a byte more", async () => {
    expect(bodyBytesMax).toBe(65_536);
    expect((await propose(await mintAgent(engine), ofSize(bodyBytesMax))).status).toBe(201);
    expect(await propose(await mintAgent(engine), ofSize(bodyBytesMax + 1))).toMatchObject(
      tooLarge,
    );
  });

  test("is counted in bytes, not in characters", async () => {
    const body = `{"content":"x","category":"prof:a","pad":"${"é".repeat(32_760)}"}`;
    expect(body.length).toBeLessThan(bodyBytesMax);
    expect(await propose(await mintAgent(engine), body)).toMatchObject(tooLarge);
  });

  test("is counted while it is read: an endless one is cut off", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1_024));
      },
    });
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      body: endless,
      duplex: "half",
    };
    const reply = await replyOf(await inProcess(`http://gateway.test${target}`, init));
    expect(reply).toMatchObject(tooLarge);
    expect(pulled).toBeLessThan(80);
  });

  test("counts before who sent it: too large is 400 without credentials, too", async () => {
    const reply = await propose(await mintAgent(engine), ofSize(70_000), { Authorization: null });
    expect(reply).toMatchObject(tooLarge);
  });
});

describe("Content-Type", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "Application/JSON",
    "application/vnd.example.proposal+json",
    "application/json; profile=x",
  ])("%s is taken", async (type) => {
    const reply = await propose(await mintAgent(engine), tea, { "Content-Type": type });
    expect(reply.status).toBe(201);
  });

  test.each([
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/json; charset=latin1",
    "application/json, text/plain",
    "json",
  ])("%s is refused: PROF006, naming the header", async (type) => {
    const reply = await propose(await mintAgent(engine), tea, { "Content-Type": type });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
    expect(issuePaths(reply)).toEqual(["headers.Content-Type"]);
  });

  test("is needed with a body, and not with GET", async () => {
    const { client } = await mintAgent(engine);
    const body = new TextEncoder().encode(tea);
    const request = { method: "POST", target, body };
    const reply = await call(client, request, { "Content-Type": null });
    expect(issuePaths(reply)).toEqual(["headers.Content-Type"]);
    const reading = await call(client, { method: "GET", target: profilePath(did) });
    expect(reading.status).toBe(200);
  });

  test("is looked at only once the caller is known", async () => {
    const headers = { "Content-Type": "text/plain", Authorization: null };
    expect((await propose(await mintAgent(engine), tea, headers)).status).toBe(401);
  });
});

describe("invalid JSON is PROF006 with an issue, and counts against the limit", () => {
  test.each([
    ["cut off", `{"content":"x"`],
    ["two values", `${tea}${tea}`],
    ["the same member twice", `{"content":"a","content":"b","category":"prof:a"}`],
    ["__proto__", `{"content":"a","category":"prof:a","__proto__":{}}`],
    ["33 levels", `{"content":"a","category":"prof:a","x":${"[".repeat(32)}${"]".repeat(32)}}`],
    ["U+0000", `{"content":"\\u0000","category":"prof:a"}`],
    ["a lone surrogate", `{"content":"\\udfff","category":"prof:a"}`],
  ])("%s", async (_name, body) => {
    const reply = await propose(await mintAgent(engine), body);
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
    expect(issuePaths(reply)).not.toEqual([]);
    expect(reply.headers.get("X-RateLimit-Remaining")).toBe("19");
  });
});
