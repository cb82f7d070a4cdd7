import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { mintAgent, mintOwner } from "@/tests/support/personas";
import { call, issuePaths, profilePath } from "@/tests/support/wire";

// Spec, Endpoints 4, the body: content, category, confidence, context.
const engine = await testEngine();

async function propose(body: string) {
  const { did, profileId } = await mintOwner(engine, { policies: [{ permissions: ["propose"] }] });
  const { client } = await mintAgent(engine);
  const target = profilePath(did, "/memories/propose");
  const reply = await call(client, { method: "POST", target, body });
  const stored = await engine.db.proposal.findMany({ where: { profileId } });
  return { reply, stored };
}

const tea = { content: "Prefers tea.", category: "prof:preferences" };

describe("201", () => {
  test.each<[string, object, object]>([
    ["content of one character", { ...tea, content: "x" }, { content: "x" }],
    ["content of 10,000 characters", { ...tea, content: "é".repeat(10_000) }, {}],
    ["content of 10,000 emoji", { ...tea, content: "😀".repeat(10_000) }, {}],
    ["category with parts", { ...tea, category: "prof:a.b.c" }, { category: "prof:a.b.c" }],
    ["confidence 0", { ...tea, confidence: 0 }, { confidence: 0 }],
    ["confidence 1", { ...tea, confidence: 1 }, { confidence: 1 }],
    ["no confidence, which counts as 0.7", tea, { confidence: 0.7 }],
    ["context of 1,000 characters", { ...tea, context: "x".repeat(1_000) }, {}],
    ["no context", tea, { context: null }],
    ["a member nobody knows", { ...tea, status: "approved" }, { status: "pending" }],
  ])("%s", async (_name, body, expected) => {
    const { reply, stored } = await propose(JSON.stringify(body));
    expect(reply.status).toBe(201);
    expect(stored).toMatchObject([{ ...body, status: "pending", ...expected }]);
  });
});

describe("400 PROF006, naming the member, and nothing stored", () => {
  test.each<[string, string, unknown]>([
    ["content is missing", "body.content", { category: "prof:a" }],
    ["content is empty", "body.content", { ...tea, content: "" }],
    ["content is white space", "body.content", { ...tea, content: " \n\t " }],
    ["content is too long", "body.content", { ...tea, content: "x".repeat(10_001) }],
    ["content is a number", "body.content", { ...tea, content: 7 }],
    ["content is null", "body.content", { ...tea, content: null }],
    ["content is an array", "body.content", { ...tea, content: ["tea"] }],
    ["category is missing", "body.category", { content: "x" }],
    ["category has a wildcard", "body.category", { ...tea, category: "prof:a.*" }],
    ["category is prof:*", "body.category", { ...tea, category: "prof:*" }],
    ["category has no prefix", "body.category", { ...tea, category: "preferences" }],
    ["category is too long", "body.category", { ...tea, category: `prof:${"a.".repeat(70)}a` }],
    ["confidence is a text", "body.confidence", { ...tea, confidence: "0.9" }],
    ["confidence is below 0", "body.confidence", { ...tea, confidence: -0.001 }],
    ["confidence is above 1", "body.confidence", { ...tea, confidence: 1.001 }],
    ["confidence is null", "body.confidence", { ...tea, confidence: null }],
    ["context is too long", "body.context", { ...tea, context: "x".repeat(1_001) }],
    ["context is an object", "body.context", { ...tea, context: {} }],
  ])("%s", async (_name, path, body) => {
    const { reply, stored } = await propose(JSON.stringify(body));
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
    expect(issuePaths(reply)).toEqual([path]);
    expect(stored).toEqual([]);
  });

  test.each([
    ["U+0000 in content", `{"content":"a\\u0000b","category":"prof:a"}`],
    ["a lone surrogate in content", `{"content":"\\ud800","category":"prof:a"}`],
    ["the same member twice", `{"content":"a","content":"b","category":"prof:a"}`],
    ["__proto__", `{"content":"a","category":"prof:a","__proto__":{"x":1}}`],
    ["a confidence no double holds", `{"content":"a","category":"prof:a","confidence":1e400}`],
    ["what is not JSON", `content=tea&category=prof:a`],
    ["nothing", ""],
  ])("%s", async (_name, body) => {
    const { reply, stored } = await propose(body);
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
    expect(issuePaths(reply)[0]).toMatch(/^body/);
    expect(stored).toEqual([]);
  });
});
