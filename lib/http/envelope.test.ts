import { describe, expect, test } from "vitest";
import { createEngine, installEngine } from "@/lib/engine/engine";
import { createLog } from "@/lib/engine/log";
import { endpoints } from "@/lib/protocol/endpoints";
import { errorTable } from "@/lib/protocol/errors";
import { inProcess, testEngine } from "@/tests/support/harness";
import { giveProposal, giveToken, mintAgent, mintOwner } from "@/tests/support/personas";
import { profilePath, type Reply, replyOf } from "@/tests/support/wire";
import { protocolRoute } from "./protocol-route";

// Spec, Common response envelope, Common response headers and Errors: on every answer, whatever happens.
const engine = await testEngine({ LIMIT_REVIEW: "1" });
const { did } = await mintOwner(engine, {
  policies: [{ permissions: ["read", "propose"], deny: ["prof:health"] }],
});
const target = profilePath(did);
const access = { scopes: ["prof:a"], purpose: { type: "support" } };
const tea = { content: "Prefers tea.", category: "prof:a" };

type Sent = { method?: string; target?: string; body?: unknown; ts?: string; nonce?: string };

async function send({ method = "GET", body, ...sent }: Sent = {}): Promise<Reply> {
  const { client } = await mintAgent(engine);
  const json = body === undefined ? undefined : JSON.stringify(body);
  return replyOf(
    await client.send(await client.signedRequest({ method, target, body: json, ...sent })),
  );
}

async function bare(method: string, path: string): Promise<Reply> {
  return replyOf(await inProcess(`http://gateway.test${path}`, { method }));
}

async function twice(): Promise<Reply> {
  const { client } = await mintAgent(engine);
  const signed = await client.signedRequest({ method: "GET", target });
  await client.send(signed);
  return replyOf(await client.send(signed));
}

async function reviewed(): Promise<Reply> {
  const { did: own, profileId, client } = await mintOwner(engine);
  const { did: agentDid } = await mintAgent(engine);
  const { id } = await giveProposal(engine, { profileId, agentDid });
  const request = { method: "POST", target: profilePath(own, `/proposals/${id}/review`) };
  return replyOf(
    await client.send(await client.signedRequest({ ...request, body: `{"action":"approve"}` })),
  );
}

async function byToken(): Promise<Reply> {
  const [owner, agent] = [await mintOwner(engine), await mintAgent(engine)];
  const { client } = await giveToken(engine, { owner, agent });
  const request = { method: "GET", target: "/prof/v1/profile" };
  return replyOf(await client.send(await client.signedRequest(request)));
}

async function limited(): Promise<Reply> {
  const review = profilePath(did, "/proposals/prop_1/review");
  const { client } = await mintAgent(engine);
  const sendOne = async () => {
    const body = `{"action":"approve"}`;
    return client.send(await client.signedRequest({ method: "POST", target: review, body }));
  };
  await sendOne();
  return replyOf(await sendOne());
}

/** A route of the same kind whose verb meets with this. */
async function failing(error: Error): Promise<Reply> {
  const { GET } = protocolRoute(endpoints.getProfile, () => Promise.reject(error));
  const { client } = await mintAgent(engine);
  const { url, headers } = await client.signedRequest({ method: "GET", target });
  return replyOf(await GET(new Request(url, { headers })));
}

/** Nothing listens where its database should be. */
async function withoutDatabase(): Promise<Reply> {
  const DATABASE_URL = "postgresql://nobody@127.0.0.1:1/none";
  const cut = createEngine({ ...engine.env, DATABASE_URL }, createLog({ level: "silent" }));
  const { client } = await mintAgent(engine);
  const signed = await client.signedRequest({ method: "GET", target });
  installEngine({ ...cut, now: engine.now });
  const reply = await replyOf(await client.send(signed));
  installEngine(engine);
  await cut.stop();
  return reply;
}

const answers: [string, number, keyof typeof errorTable | null, () => Promise<Reply>][] = [
  ["Get Profile", 200, null, () => send()],
  [
    "Request Access",
    200,
    null,
    () => send({ method: "POST", target: `${target}/access`, body: access }),
  ],
  ["List Memories", 200, null, () => send({ target: `${target}/memories` })],
  [
    "Propose Memory",
    201,
    null,
    () => send({ method: "POST", target: `${target}/memories/propose`, body: tea }),
  ],
  ["List Proposals", 200, null, () => send({ target: `${target}/proposals` })],
  ["Review Proposal", 200, null, reviewed],
  ["Get Profile, by token and without a DID", 200, null, byToken],
  ["Unauthorized", 401, "PROF001", () => bare("GET", target)],
  [
    "Forbidden",
    403,
    "PROF002",
    () =>
      send({
        method: "POST",
        target: `${target}/proposals/prop_1/review`,
        body: { action: "approve" },
      }),
  ],
  ["Not Found", 404, "PROF003", () => send({ target: profilePath("did:prof:user:local:nobody") })],
  ["Not Found, unknown path", 404, "PROF003", () => bare("GET", "/prof/v1/nothing")],
  ["Consent Required", 403, "PROF004", () => send({ target: `${target}?scopes=prof:health` })],
  ["Rate Limited", 429, "PROF005", limited],
  ["Invalid Request", 400, "PROF006", () => send({ target: `${target}?scopes=x` })],
  ["Invalid Request, method", 405, "PROF006", () => bare("DELETE", target)],
  ["Timestamp Invalid", 401, "PROF007", () => send({ ts: "2026-03-01T11:00:00Z" })],
  ["Nonce Reused", 401, "PROF008", twice],
  ["Internal Error", 500, "PROF500", () => failing(new Error("canary"))],
  ["Unavailable", 503, "PROF503", withoutDatabase],
];

test("every code of the table is met below", () => {
  const met = new Set(answers.map(([, , code]) => code));
  expect(
    Object.keys(errorTable).filter((code) => !met.has(code as keyof typeof errorTable)),
  ).toEqual([]);
});

describe.each(answers)("%s, %i %s", (_name, status, code, answer) => {
  test("has the envelope and every header", async () => {
    const { headers, body, ...reply } = await answer();
    expect(reply.status).toBe(status);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "prof-version": "1.0",
      "prof-version-supported": "1.0",
      "x-request-id": expect.stringMatching(/^req_[0-9A-Za-z]{22}$/),
      "x-ratelimit-limit": expect.stringMatching(/^[1-9]\d*$/),
      "x-ratelimit-remaining": expect.stringMatching(/^\d+$/),
      "x-ratelimit-reset": expect.stringMatching(/^\d{10}$/),
      "cache-control": "private, no-store",
      vary: "Authorization",
      "x-content-type-options": "nosniff",
    });
    expect(body.meta).toMatchObject({
      requestId: headers.get("X-Request-Id"),
      timestamp: "2026-03-01T12:00:00.000Z",
    });
    expect(headers.has("Retry-After")).toBe(status === 429 || status === 503);
    expect(headers.has("WWW-Authenticate")).toBe(status === 401);
    expect(headers.has("Allow")).toBe(status === 405);
    if (code === null) {
      expect(body).toMatchObject({ success: true, data: expect.anything() });
      expect(body).not.toHaveProperty("error");
    } else {
      expect(body).toMatchObject({ success: false, error: { code, message: expect.any(String) } });
      expect(body).not.toHaveProperty("data");
    }
  });
});

describe("a failure of ours", () => {
  test("tells nothing but its message; the cause is in the log under the request id", async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    installEngine({ ...engine, log: createLog({ level: "error", destination }) });
    const reply = await failing(new Error("canary in select * from secrets"));
    installEngine(engine);
    expect(JSON.stringify(reply.body)).not.toMatch(/canary|select|stack/);
    expect(reply.body.error).not.toHaveProperty("details");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(reply.body.meta.requestId);
  });

  const behindPrisma = { driverAdapterError: { cause: { originalCode: "57P01" } } };
  test.each([
    ...["ECONNREFUSED", "ECONNRESET", "08006", "57P01", "53300", "P1001", "P2028", "P2037"].map(
      (code) => ({
        code,
      }),
    ),
    { code: "53100", why: "its disk is full" },
    { code: "58030", why: "its disk fails" },
    { code: "P2039", meta: behindPrisma },
    { message: "Connection terminated unexpectedly" },
    { message: "Client has encountered a connection error and is not queryable" },
  ])("is 503 with Retry-After where the database is away: %o", async (away) => {
    const reply = await failing(Object.assign(new Error("canary"), away));
    expect(reply).toMatchObject({ status: 503, body: { error: { code: "PROF503" } } });
    expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThan(0);
  });

  test.each([{ code: "23505" }, { code: "P2039", meta: {} }, { code: "P2002" }])(
    "stays one where the database answered: %o",
    async (answered) => {
      const reply = await failing(Object.assign(new Error("canary"), answered));
      expect(reply).toMatchObject({ status: 500, body: { error: { code: "PROF500" } } });
    },
  );
});

test("no two answers have the same request id", async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => bare("GET", "/prof/x")));
  expect(new Set(replies.map(({ body }) => body.meta.requestId)).size).toBe(20);
});
