import { describe, expect, test } from "vitest";
import { templates } from "@/lib/rules/templates";
import { testEngine } from "@/tests/support/harness";
import { giveNamedValue, givePolicy, mintAgent, mintOwner } from "@/tests/support/personas";
import { call, issuePaths, profilePath } from "@/tests/support/wire";

// Protocol 5: one spelling of a category, so that a deny and the sensitive list reach all of it.
const engine = await testEngine();

const spellings = ["prof:Financial", "prof:FINANCIAL", "prof:Health.x", "prof:identitY"];

async function balancedOwner() {
  const owner = await mintOwner(engine, { common: { preferences: {}, Financial: { debt: 12 } } });
  for (const { allow, deny, permissions, ...policy } of templates.balanced.policies) {
    const lists = { allow: [...allow], deny: [...deny], permissions: [...permissions] };
    await givePolicy(engine, owner.profileId, { ...policy, ...lists, purposes: [] });
  }
  return owner;
}

describe("400 PROF006 for a category that is not in lower case", () => {
  test.each(spellings)("proposing in %s, and nothing is stored", async (category) => {
    const { did, profileId } = await balancedOwner();
    const { client } = await mintAgent(engine);
    const body = JSON.stringify({ content: "Owes 12,000 to the bank.", category });
    const target = profilePath(did, "/memories/propose");
    const reply = await call(client, { method: "POST", target, body });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
    expect(reply.body.error?.message).toContain("lower case");
    expect(issuePaths(reply)).toEqual(["body.category"]);
    expect(await engine.db.proposal.count({ where: { profileId } })).toBe(0);
  });

  test.each(spellings)("reading, listing and asking for %s", async (scope) => {
    const { did } = await balancedOwner();
    const { client } = await mintAgent(engine);
    const get = async (rest: string) =>
      call(client, { method: "GET", target: profilePath(did, rest) });
    expect(issuePaths(await get(`?scopes=${scope}`))).toEqual(["query.scopes.0"]);
    expect(issuePaths(await get(`/memories?category=${scope}`))).toEqual(["query.category"]);
    const body = JSON.stringify({ scopes: [scope], purpose: { type: "support" } });
    const input = await call(client, { method: "POST", target: profilePath(did, "/access"), body });
    expect(issuePaths(input)).toEqual(["body.scopes.0"]);
  });
});

describe("200 without what is denied in lower case", () => {
  test("a member of common, and what is inside it", async () => {
    const { did, profileId } = await balancedOwner();
    await givePolicy(engine, profileId, { deny: ["prof:financial"] });
    const { client } = await mintAgent(engine);
    expect((await client.getProfile({ did })).data.common).toEqual({ preferences: {} });
  });

  test("a named value", async () => {
    const { did, profileId } = await balancedOwner();
    await givePolicy(engine, profileId, { deny: ["prof:preferences.bank"] });
    const category = "prof:preferences";
    await giveNamedValue(engine, profileId, { category, name: "Bank", value: "canary" });
    const { client } = await mintAgent(engine);
    expect((await client.getProfile({ did })).data.memories).toEqual({});
  });
});
