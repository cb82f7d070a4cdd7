import { describe, expect, it } from "vitest";
import {
  type Endpoint,
  endpoints,
  errorsOfAll,
  limitClasses,
  limitWindowSeconds,
  matchEndpoint,
} from "./endpoints";

const did = "did:prof:user:local:alice";
const all = Object.entries<Endpoint>(endpoints);

// Spec, Endpoints 1 to 6, and Implementation-specific endpoints 4.
describe("each endpoint of the specification is in the table", () => {
  it.each([
    ["getProfile", "GET", "/prof/v1/profile/{did}", ["scopes"], []],
    ["requestAccess", "POST", "/prof/v1/profile/{did}/access", [], ["scopes", "purpose"]],
    ["listMemories", "GET", "/prof/v1/profile/{did}/memories", ["category", "limit", "offset"], []],
    [
      "proposeMemory",
      "POST",
      "/prof/v1/profile/{did}/memories/propose",
      [],
      ["content", "category", "confidence", "context"],
    ],
    ["listProposals", "GET", "/prof/v1/profile/{did}/proposals", ["status"], []],
    [
      "reviewProposal",
      "POST",
      "/prof/v1/profile/{did}/proposals/{proposalId}/review",
      [],
      ["action", "editedContent"],
    ],
    ["getOwnProfile", "GET", "/prof/v1/profile", ["scopes"], []],
    [
      "proposeOwnMemory",
      "POST",
      "/prof/v1/profile/memories/propose",
      [],
      ["content", "category", "confidence", "context"],
    ],
  ] as const)("%s: %s %s", (name, method, path, query, body) => {
    const endpoint = endpoints[name];
    expect(endpoint).toMatchObject({ name, method, path });
    expect(Object.keys(endpoint.query.shape)).toEqual(expect.arrayContaining([...query]));
    expect(Object.keys(endpoint.body?.shape ?? {})).toEqual(expect.arrayContaining([...body]));
  });

  it("and nothing else is", () => {
    expect(all).toHaveLength(8);
  });
});

// Spec, Limits; Protocol 7.
describe("each endpoint has its limit an hour", () => {
  it.each([
    ["getProfile", 100],
    ["requestAccess", 30],
    ["proposeMemory", 20],
    ["reviewProposal", 50],
    ["listMemories", 100],
    ["listProposals", 100],
    ["getOwnProfile", 100],
    ["proposeOwnMemory", 20],
  ] as const)("%s: %i", (name, limit) => {
    expect(limitClasses[endpoints[name].limitClass]).toBe(limit);
    expect(limitWindowSeconds).toBe(3_600);
  });
});

describe("every row is consistent in itself", () => {
  it.each(all)("%s", (name, endpoint) => {
    const inPath = Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, param]) => param);
    expect(endpoint.name).toBe(name);
    expect(Object.keys(endpoint.params.shape)).toEqual(inPath);
    expect(endpoint.body === null).toBe(endpoint.method === "GET");
    expect(endpoint.credentials.includes("signature")).toBe(inPath.includes("did"));
    expect(endpoint.errors.filter((code) => errorsOfAll.includes(code))).toEqual([]);
  });
});

describe("a path and a method name one endpoint", () => {
  it.each(all)("%s", (_, endpoint) => {
    const params = Object.keys(endpoint.params.shape).map((name) => [name, `${did}/${name}`]);
    const segments = endpoint.path
      .slice(1)
      .split("/")
      .map((segment) => (segment.startsWith("{") ? `${did}/${segment.slice(1, -1)}` : segment));
    expect(matchEndpoint(endpoint.method, segments)).toEqual({
      endpoint,
      params: Object.fromEntries(params),
    });
  });

  it("memories is no DID where the path without one fits", () => {
    const match = matchEndpoint("POST", ["prof", "v1", "profile", "memories", "propose"]);
    expect(match).toMatchObject({ endpoint: { name: "proposeOwnMemory" } });
  });
});

describe("a path that does not take the method tells which it does take", () => {
  it.each([
    ["POST", ["prof", "v1", "profile", did], ["GET"]],
    ["GET", ["prof", "v1", "profile", did, "access"], ["POST"]],
    ["HEAD", ["prof", "v1", "profile"], ["GET"]],
    ["get", ["prof", "v1", "profile"], ["GET"]],
    ["DELETE", ["prof", "v1", "profile", did, "proposals", "prop_1", "review"], ["POST"]],
  ])("%s %j", (method, segments, allow) => {
    expect(matchEndpoint(method, segments)).toEqual({ allow });
  });
});

describe("any other path is none", () => {
  it.each([
    [[]],
    [[""]],
    [["prof"]],
    [["prof", "v1"]],
    [["prof", "v2", "profile"]],
    [["PROF", "v1", "profile"]],
    [["prof", "v1", "profile", ""]],
    [["prof", "v1", "profile", did, ""]],
    [["prof", "v1", "profile", did, "consents"]],
    [["prof", "v1", "profile", "", "access"]],
    [["prof", "v1", "profile", did, "memories", "propose", "x"]],
    [["prof", "v1", "profile", did, "proposals", "", "review"]],
  ])("%j", (segments) => {
    expect(matchEndpoint("GET", segments)).toBeNull();
    expect(matchEndpoint("POST", segments)).toBeNull();
  });
});
