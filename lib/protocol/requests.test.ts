import { describe, expect, it } from "vitest";
import { type Endpoint, endpoints } from "./endpoints";
import { GatewayError } from "./errors";
import { parseRequest } from "./requests";
import { decodeQuery } from "./signature";

const params = { did: "did:prof:user:local:alice", proposalId: "prop_1" };
const access = { scopes: ["prof:preferences"], purpose: { type: "personalization" } };
const proposal = { content: "Runs.", category: "prof:interests" };

function queryOf(endpoint: Endpoint, rawQuery: string) {
  return parseRequest(endpoint, { params, query: decodeQuery(rawQuery) ?? [], body: undefined })
    .query;
}

function bodyOf(endpoint: Endpoint, body: unknown) {
  return parseRequest(endpoint, { params, query: [], body }).body;
}

function issuePaths(parse: () => unknown): string[] {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const issues = error.details?.issues as { path: string }[];
    return issues.map(({ path }) => path);
  }
  return [];
}

describe("Get Profile takes scopes", () => {
  it.each([
    ["", {}],
    ["scopes=prof:a", { scopes: ["prof:a"] }],
    ["scopes=prof:a,prof:b.*,prof:*", { scopes: ["prof:a", "prof:b.*", "prof:*"] }],
    ["scopes=prof%3Aa%2Cprof%3Ab", { scopes: ["prof:a", "prof:b"] }],
    ["scopes=prof:b,prof:a,prof:b", { scopes: ["prof:b", "prof:a"] }],
    ["other=1&other=2", {}],
  ])("%j", (rawQuery, expected) => {
    expect(queryOf(endpoints.getProfile, rawQuery)).toEqual(expected);
  });

  it.each([
    ["scopes=", ["query.scopes.0"]],
    ["scopes", ["query.scopes.0"]],
    ["scopes=prof:a,", ["query.scopes.1"]],
    ["scopes=prof:a, prof:b", ["query.scopes.1"]],
    ["scopes=a", ["query.scopes.0"]],
    ["scopes=prof:a&scopes=prof:b", ["query.scopes"]],
    [`scopes=${Array(51).fill("prof:a").join(",")}`, ["query.scopes"]],
  ])("not %j", (rawQuery, paths) => {
    expect(issuePaths(() => queryOf(endpoints.getProfile, rawQuery))).toEqual(paths);
  });
});

describe("List Memories takes category, limit and offset", () => {
  it.each([
    ["", { limit: 50, offset: 0 }],
    ["limit=1", { limit: 1, offset: 0 }],
    ["limit=200&offset=400", { limit: 200, offset: 400 }],
    ["limit=201", { limit: 200, offset: 0 }],
    [`limit=${"9".repeat(400)}`, { limit: 200, offset: 0 }],
    [`offset=${"9".repeat(400)}`, { limit: 50, offset: 2_147_483_647 }],
    ["category=prof:health.allergies", { limit: 50, offset: 0, category: "prof:health.allergies" }],
  ])("%j", (rawQuery, expected) => {
    expect(queryOf(endpoints.listMemories, rawQuery)).toEqual(expected);
  });

  it.each([
    "limit=0",
    "limit=-1",
    "limit=",
    "limit",
    "limit=ten",
    "limit=1.5",
    "limit=1e2",
    "limit=0x10",
    "limit=%2B1",
    "limit=+1",
    "limit=1%0A",
    "limit=%EF%BC%91",
    "limit=NaN",
    "limit=Infinity",
    "limit=1&limit=1",
    "offset=-1",
    "offset=0.0",
    "offset=",
    "offset=1&offset=2",
    "category=",
    "category=prof:*",
    "category=prof:health.*",
    "category=health",
    "category=prof:a,prof:b",
    "category=prof:a%00",
    "category=prof:a&category=prof:b",
  ])("not %j", (rawQuery) => {
    const [name] = rawQuery.split("=");
    expect(issuePaths(() => queryOf(endpoints.listMemories, rawQuery))).toEqual([`query.${name}`]);
  });
});

describe("List Proposals takes status, limit and offset", () => {
  it.each([
    ["", { limit: 100, offset: 0 }],
    ["status=pending", { status: "pending", limit: 100, offset: 0 }],
    ["status=approved", { status: "approved", limit: 100, offset: 0 }],
    ["status=rejected&limit=999", { status: "rejected", limit: 200, offset: 0 }],
  ])("%j", (rawQuery, expected) => {
    expect(queryOf(endpoints.listProposals, rawQuery)).toEqual(expected);
  });

  it.each(["status=", "status=Pending", "status=expired", "status=pending&status=pending"])(
    "not %j",
    (rawQuery) => {
      expect(issuePaths(() => queryOf(endpoints.listProposals, rawQuery))).toEqual([
        "query.status",
      ]);
    },
  );
});

describe("Request Access takes scopes and a purpose", () => {
  it.each([
    ["the least", access, access],
    ["unknown members, which it leaves out", { ...access, note: "x" }, access],
    [
      "a scope twice, once",
      { ...access, scopes: ["prof:a", "prof:a"] },
      { ...access, scopes: ["prof:a"] },
    ],
  ])("%s", (_, body, expected) => {
    expect(bodyOf(endpoints.requestAccess, body)).toEqual(expected);
  });

  it.each([
    ["nothing", undefined, ["body"]],
    ["null", null, ["body"]],
    ["an array", [access], ["body"]],
    ["an empty object", {}, ["body.scopes", "body.purpose"]],
    ["no scopes", { ...access, scopes: [] }, ["body.scopes"]],
    ["51 scopes", { ...access, scopes: Array(51).fill("prof:a") }, ["body.scopes"]],
    ["scopes as text", { ...access, scopes: "prof:a" }, ["body.scopes"]],
    ["a bad scope", { ...access, scopes: ["prof:a", "b", 3] }, ["body.scopes.1", "body.scopes.2"]],
    ["a purpose as text", { ...access, purpose: "personalization" }, ["body.purpose"]],
    ["a purpose without a type", { ...access, purpose: {} }, ["body.purpose.type"]],
    [
      "a purpose with every member bad",
      {
        ...access,
        purpose: { type: "", description: "x".repeat(501), legalBasis: 1, retention: "*" },
      },
      ["type", "description", "legalBasis", "retention"].map((member) => `body.purpose.${member}`),
    ],
  ])("not %s", (_, body, paths) => {
    expect(issuePaths(() => bodyOf(endpoints.requestAccess, body))).toEqual(paths);
  });
});

describe.each([endpoints.proposeMemory, endpoints.proposeOwnMemory])(
  "$name takes a memory",
  (endpoint) => {
    it.each([
      ["the least; confidence is 0.7", proposal, { ...proposal, confidence: 0.7 }],
      ["confidence 0", { ...proposal, confidence: 0 }, { ...proposal, confidence: 0 }],
      ["confidence 1", { ...proposal, confidence: 1 }, { ...proposal, confidence: 1 }],
      [
        "context, and white space around text",
        { ...proposal, content: " Runs. ", confidence: 0.5, context: " Said so. " },
        { ...proposal, confidence: 0.5, context: "Said so." },
      ],
    ])("%s", (_, body, expected) => {
      expect(bodyOf(endpoint, body)).toEqual(expected);
    });

    it.each([
      ["an empty object", {}, ["body.content", "body.category"]],
      ["blank content", { ...proposal, content: " " }, ["body.content"]],
      ["a wildcard as category", { ...proposal, category: "prof:health.*" }, ["body.category"]],
      ["confidence above 1", { ...proposal, confidence: 1.01 }, ["body.confidence"]],
      ["confidence below 0", { ...proposal, confidence: -0.01 }, ["body.confidence"]],
      ["confidence as text", { ...proposal, confidence: "0.5" }, ["body.confidence"]],
      ["confidence null", { ...proposal, confidence: null }, ["body.confidence"]],
      ["1e400", { ...proposal, confidence: Number.POSITIVE_INFINITY }, ["body.confidence"]],
      ["a context too long", { ...proposal, context: "x".repeat(1_001) }, ["body.context"]],
      ["a context with U+0000", { ...proposal, context: "\u0000" }, ["body.context"]],
    ])("not %s", (_, body, paths) => {
      expect(issuePaths(() => bodyOf(endpoint, body))).toEqual(paths);
    });
  },
);

describe("Review Proposal takes an action", () => {
  it.each([
    { action: "approve" },
    { action: "approve", editedContent: "Runs on Sundays.", reason: "Sharper." },
    { action: "reject" },
    { action: "reject", reason: "Not true any more." },
  ])("%j", (body) => {
    expect(bodyOf(endpoints.reviewProposal, body)).toEqual(body);
  });

  it.each([
    [{}, ["body.action"]],
    [{ action: "Approve" }, ["body.action"]],
    [{ action: ["approve"] }, ["body.action"]],
    [{ action: "reject", editedContent: "x" }, ["body.editedContent"]],
    [{ action: "approve", editedContent: "" }, ["body.editedContent"]],
    [{ action: "approve", reason: "x".repeat(501) }, ["body.reason"]],
  ])("not %j", (body, paths) => {
    expect(issuePaths(() => bodyOf(endpoints.reviewProposal, body))).toEqual(paths);
  });
});

describe("the DID in a path", () => {
  const parse = (did: string) =>
    parseRequest(endpoints.getProfile, { params: { did }, query: [], body: undefined }).params;

  it.each(["did:prof:user:local:alice", "did:prof:user", "did:prof:"])(
    "%j is for the service",
    (did) => {
      expect(parse(did)).toEqual({ did });
    },
  );

  it.each(["alice", "did:web:a", "DID:PROF:user:local:a", " did:prof:user:local:a"])(
    "%j is none",
    (did) => {
      expect(issuePaths(() => parse(did))).toEqual(["path.did"]);
    },
  );
});

it("every issue of path, query and body is told at once", () => {
  const sent = { params: { did: "alice" }, query: [["limit", "x"]] as const, body: undefined };
  expect(issuePaths(() => parseRequest(endpoints.listMemories, sent))).toEqual([
    "path.did",
    "query.limit",
  ]);
});

it("a GET ignores a body", () => {
  const { body } = parseRequest(endpoints.getProfile, { params, query: [], body: { scopes: 1 } });
  expect(body).toBeUndefined();
});

it("a parameter named like a member of every object is one like any other", () => {
  expect(queryOf(endpoints.getProfile, "__proto__=1&constructor=2&toString=3")).toEqual({});
});
