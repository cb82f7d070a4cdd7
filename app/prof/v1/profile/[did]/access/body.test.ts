import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { mintAgent, mintOwner } from "@/tests/support/personas";
import { call, issuePaths, profilePath } from "@/tests/support/wire";

// Spec, Endpoints 2, the body; Protocol 6 says what it must be.
const engine = await testEngine();

async function ask(body: unknown) {
  const owner = await mintOwner(engine, { policies: [{}] });
  const agent = await mintAgent(engine);
  const reply = await call(agent.client, {
    method: "POST",
    target: profilePath(owner.did, "/access"),
    body: JSON.stringify(body),
  });
  const stored = await engine.db.receipt.count({ where: { profileId: owner.profileId } });
  return { reply, stored };
}

const scopes = ["prof:a"];
const type = "support";

describe("200", () => {
  test.each([
    ["purpose.type alone", { type }],
    ["purpose.description of 500 characters", { type, description: "é".repeat(500) }],
    ["purpose.type nobody knows", { type: "world_peace" }],
    ["purpose.type of 64 characters", { type: "a".repeat(64) }],
    ["purpose.legalBasis", { type, legalBasis: "legitimate_interests" }],
    ["purpose.legalBasis nobody knows", { type, legalBasis: "royal_assent" }],
    ["purpose.retention that begins with a digit", { type, retention: "24h" }],
    ["purpose.retention nobody knows", { type, retention: "until_full_moon" }],
    ["a member of purpose nobody knows", { type, colour: "blue" }],
  ])("%s", async (_name, purpose) => {
    const { reply, stored } = await ask({ scopes, purpose, other: 1 });
    expect(reply.status).toBe(200);
    expect(stored).toBe(1);
  });

  test("50 scopes", async () => {
    const many = Array.from({ length: 50 }, (_, index) => `prof:s${index}`);
    expect((await ask({ scopes: many, purpose: { type } })).reply.status).toBe(200);
  });
});

describe("400 PROF006, naming the member, and nothing stored", () => {
  const longPurpose = { type, description: "a".repeat(501) };
  test.each<[string, string, unknown]>([
    ["scopes is missing", "body.scopes", { purpose: { type } }],
    ["scopes is a text", "body.scopes", { scopes: "prof:a", purpose: { type } }],
    ["scopes is empty", "body.scopes", { scopes: [], purpose: { type } }],
    ["scopes has 51", "body.scopes", { scopes: Array(51).fill("prof:a"), purpose: { type } }],
    ["a scope is a number", "body.scopes.0", { scopes: [1], purpose: { type } }],
    ["a scope is none", "body.scopes.1", { scopes: ["prof:a", "a"], purpose: { type } }],
    ["purpose is missing", "body.purpose", { scopes }],
    ["purpose is a text", "body.purpose", { scopes, purpose: "support" }],
    ["purpose.type is missing", "body.purpose.type", { scopes, purpose: {} }],
    ["purpose.type is upper case", "body.purpose.type", { scopes, purpose: { type: "Support" } }],
    [
      "purpose.type is too long",
      "body.purpose.type",
      { scopes, purpose: { type: "a".repeat(65) } },
    ],
    ["purpose.type is empty", "body.purpose.type", { scopes, purpose: { type: "" } }],
    [
      "purpose.description is too long",
      "body.purpose.description",
      { scopes, purpose: longPurpose },
    ],
    [
      "purpose.description is null",
      "body.purpose.description",
      { scopes, purpose: { type, description: null } },
    ],
    [
      "purpose.legalBasis is a number",
      "body.purpose.legalBasis",
      { scopes, purpose: { type, legalBasis: 6 } },
    ],
    [
      "purpose.legalBasis has a space",
      "body.purpose.legalBasis",
      { scopes, purpose: { type, legalBasis: "a b" } },
    ],
    [
      "purpose.retention has a dash",
      "body.purpose.retention",
      { scopes, purpose: { type, retention: "for-ever" } },
    ],
    ["the body is an array", "body", []],
    ["the body is null", "body", null],
  ])("%s", async (_name, path, body) => {
    const { reply, stored } = await ask(body);
    expect(reply).toMatchObject({
      status: 400,
      body: { success: false, error: { code: "PROF006" } },
    });
    expect(issuePaths(reply)).toContain(path);
    expect(stored).toBe(0);
  });

  test("all that is wrong is told at once", async () => {
    const { reply } = await ask({ scopes: ["x"], purpose: { type: 1, retention: [] } });
    expect(issuePaths(reply)).toEqual([
      "body.scopes.0",
      "body.purpose.type",
      "body.purpose.retention",
    ]);
  });
});
