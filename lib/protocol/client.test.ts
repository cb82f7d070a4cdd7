import { describe, expect, it } from "vitest";
import { type Client, createClient, ProtocolError } from "./client";
import { signerOf } from "./signature";
import vectors from "./vectors/signature.json";

const meta = { requestId: "req_1", timestamp: "2030-01-31T12:00:00.000Z" };
const did = "did:prof:user:local:alice";
const token = `profct_${"a".repeat(49)}`;

/** A client whose requests end here: they are recorded, and `answer` comes back. */
function clientFor(answer: unknown, status = 200): { client: Client; sent: Request[] } {
  const sent: Request[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push(new Request(url, init));
    return typeof answer === "string"
      ? new Response(answer, { status })
      : Response.json(answer, { status });
  };
  return { client: createClient({ baseUrl: "https://gateway.example", token, fetch }), sent };
}

async function failureOf(call: Promise<unknown>): Promise<ProtocolError> {
  const failure = await call.catch((error: unknown) => error);
  if (failure instanceof ProtocolError) return failure;
  throw failure;
}

const access = { scopes: ["prof:a"], purpose: { type: "support" } };
const proposal = { content: "Runs.", category: "prof:interests" };
const profile = {
  id: did,
  profileType: "human",
  version: "1.0",
  common: { preferences: {} },
  memories: {},
};
const proposed = { proposalId: "prop_1", status: "pending", expiresAt: meta.timestamp };
const page = { count: 0, total: 0, limit: 50, offset: 0 };
const path = "/prof/v1/profile/did%3Aprof%3Auser%3Alocal%3Aalice";

describe("each endpoint has a method", () => {
  it.each<[string, (client: Client) => Promise<unknown>, string, unknown, unknown, object]>([
    ["getProfile", (c) => c.getProfile({ did }), `GET ${path}`, undefined, profile, {}],
    [
      "getProfile with scopes",
      (c) => c.getProfile({ did, scopes: ["prof:a", "prof:b.*"] }),
      `GET ${path}?scopes=prof%3Aa%2Cprof%3Ab.*`,
      undefined,
      profile,
      { deniedScopes: ["prof:b.*"] },
    ],
    [
      "requestAccess",
      (c) => c.requestAccess({ did, ...access }),
      `POST ${path}/access`,
      access,
      {
        receiptId: "rcpt_1",
        userDid: did,
        agentDid: "did:prof:agent:local:iris",
        grantedScopes: ["prof:a"],
        deniedScopes: [],
        purpose: { type: "support" },
        grantedAt: meta.timestamp,
        expiresAt: meta.timestamp,
      },
      {},
    ],
    [
      "listMemories",
      (c) => c.listMemories({ did, category: "prof:a", limit: 10, offset: undefined }),
      `GET ${path}/memories?category=prof%3Aa&limit=10`,
      undefined,
      {},
      page,
    ],
    [
      "proposeMemory",
      (c) => c.proposeMemory({ did, ...proposal }),
      `POST ${path}/memories/propose`,
      proposal,
      proposed,
      {},
    ],
    [
      "listProposals",
      (c) => c.listProposals({ did, status: "pending" }),
      `GET ${path}/proposals?status=pending`,
      undefined,
      [],
      page,
    ],
    [
      "reviewProposal",
      (c) => c.reviewProposal({ did, proposalId: "prop_1", action: "reject", reason: "No." }),
      `POST ${path}/proposals/prop_1/review`,
      { action: "reject", reason: "No." },
      { proposalId: "prop_1", status: "rejected" },
      {},
    ],
    ["getOwnProfile", (c) => c.getOwnProfile({}), "GET /prof/v1/profile", undefined, profile, {}],
    [
      "proposeOwnMemory",
      (c) => c.proposeOwnMemory(proposal),
      "POST /prof/v1/profile/memories/propose",
      proposal,
      proposed,
      {},
    ],
  ])("%s", async (_, call, line, body, data, extraMeta) => {
    const { client, sent } = clientFor({ success: true, data, meta: { ...meta, ...extraMeta } });
    expect(await call(client)).toMatchObject({
      status: 200,
      data,
      meta: { ...meta, ...extraMeta },
    });
    const [request] = sent;
    expect(`${request?.method} ${request?.url}`).toBe(
      line.replace(" ", " https://gateway.example"),
    );
    expect(await request?.text()).toBe(body === undefined ? "" : JSON.stringify(body));
    expect(request?.redirect).toBe("error");
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      authorization: `Bearer ${token}`,
      "prof-version": "1.0",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    });
  });
});

describe("a refusal is thrown", () => {
  it("with the gateway's code, message, details and request id", async () => {
    const error = { code: "PROF004", message: "Ask first.", details: { deniedScopes: ["prof:a"] } };
    const { client } = clientFor({ success: false, error, meta }, 403);
    expect(await failureOf(client.getProfile({ did }))).toMatchObject({
      status: 403,
      requestId: "req_1",
      ...error,
    });
  });

  it.each([
    ["a page of a proxy", "<h1>Bad Gateway</h1>", 502],
    ["an error of another shape", { error: "nope" }, 500],
    ["a success that is not JSON", "ok", 200],
    ["a success without the envelope", profile, 200],
    ["a success with other data", { success: true, data: [], meta }, 200],
  ])("and so is %s, without a code", async (_, answer, status) => {
    const { client } = clientFor(answer, status);
    expect(await failureOf(client.getProfile({ did }))).toMatchObject({
      status,
      code: null,
      details: {},
    });
  });
});

describe("a signed request is exactly that of the vectors", () => {
  it.each(vectors.requests)("$description", async (request) => {
    const { method, target, ts, nonce, did, baseUrl, body } = request;
    const client = createClient({ baseUrl, did, privateKey: vectors.key.privateKeyJwk });
    const signed = await client.signedRequest({
      method,
      target,
      ts,
      nonce,
      body: body || undefined,
    });
    expect(signed.canonicalText).toBe(request.canonicalText);
    expect(signed.headers.Authorization).toBe(request.authorization);
    expect(signed.url).toBe(new URL(target, baseUrl).href);
  });
});

describe("a signing client", () => {
  const [vector] = vectors.requests;
  const credentials = { did: "did:prof:agent:local:iris", baseUrl: "https://gateway.example" };

  it("takes any signer, clock and source of nonces", async () => {
    const client = createClient({
      ...credentials,
      sign: await signerOf(vectors.key.privateKeyJwk),
      now: () => new Date("2030-01-31T12:00:00Z"),
      nonce: () => "nonce-0123456789",
    });
    const { headers } = await client.signedRequest({ method: "GET", target: "/" });
    expect(headers.Authorization).toContain(
      'ts="2030-01-31T12:00:00.000Z", nonce="nonce-0123456789"',
    );
  });

  it("uses each nonce once", async () => {
    const client = createClient({ ...credentials, privateKey: vectors.key.privateKeyJwk });
    const request = { method: "GET", target: vector?.target ?? "" };
    const [one, other] = [await client.signedRequest(request), await client.signedRequest(request)];
    expect(one.headers.Authorization).not.toBe(other.headers.Authorization);
  });

  it("signs the bytes of a body that is not text", async () => {
    const client = createClient({ ...credentials, privateKey: vectors.key.privateKeyJwk });
    const body = new TextEncoder().encode("{}");
    const request = { method: "POST", target: "/", ts: "2030-01-31T12:00:00Z", nonce: "12345678" };
    const [bytes, text] = [
      await client.signedRequest({ ...request, body }),
      await client.signedRequest({ ...request, body: "{}" }),
    ];
    expect(bytes.headers).toEqual(text.headers);
  });

  it("sends nowhere but to its gateway", async () => {
    const client = createClient({ ...credentials, privateKey: vectors.key.privateKeyJwk });
    const { url } = await client.signedRequest({ method: "GET", target: "//evil.example/x" });
    expect(new URL(url).host).toBe("gateway.example");
  });

  it("can still send a target that has no canonical form", async () => {
    const client = createClient({ ...credentials, privateKey: vectors.key.privateKeyJwk });
    const { url } = await client.signedRequest({ method: "GET", target: "/prof/a%2Fb?a=%zz" });
    expect(url).toBe("https://gateway.example/prof/a%2Fb?a=%zz");
  });
});
