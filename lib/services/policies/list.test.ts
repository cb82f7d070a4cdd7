import { expect, test } from "vitest";
import type { Policy } from "@/lib/rules/facts";
import { policyOf } from "@/lib/rules/testing/samples";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveMemory, givePolicy, mintAgent, mintOwner, signedIn } from "@/tests/support/personas";
import { type Behind, behindOf, type ListedPolicy, listPolicies } from "./list";

const holdings = {
  common: { preferences: { language: "en" } },
  namedValues: [{ category: "prof:interests", name: "favourites", value: ["tea"] }],
  memories: { "prof:interests": 4, "prof:interests.music": 2, "prof:health": 1 },
};
const never = policyOf({ id: "pol_never", deny: ["prof:health"], permissions: [] });
const iris = "did:prof:agent:local:iris";

test.each<[string, Partial<Policy>, Policy[], number]>([
  ["all that its categories cover", { allow: ["prof:interests"] }, [], 7],
  ["without what it denies itself", { allow: ["prof:*"], deny: ["prof:interests.music"] }, [], 7],
  ["without what another rule denies", { allow: ["prof:*"] }, [never], 8],
  [
    "with what another rule denies to another agent",
    { allow: ["prof:*"], agentPattern: "did:prof:agent:local:atlas" },
    [{ ...never, agentPattern: iris }],
    9,
  ],
  ["with what needs a purpose", { allow: ["prof:health"], purposes: ["analysis"] }, [], 1],
  ["as it would be, while it is off", { allow: ["prof:health"], enabled: false }, [], 1],
  ["without what a template leaves out", { allow: ["prof:*"], origin: "template" }, [], 8],
  ["what it closes, where it opens nothing", { deny: ["prof:interests.*"] }, [], 7],
])("counts what is behind a rule: %s", (_title, parts, others, count) => {
  const policy = { ...policyOf(parts), agent: null };
  const around = { policies: [policy, ...others], holdings, now: testNow };
  const { memories, values } = behindOf(policy, around);
  expect(memories + values).toBe(count);
});

test.each<[string, Partial<Policy>, Behind["closedBy"]]>([
  ["what is added later", { allow: ["prof:interests"] }, null],
  ["what is added later to one of its categories", { allow: ["prof:health", "prof:*"] }, null],
  ["nothing, where another rule denies all of it", { allow: ["prof:health.*"] }, "rule"],
])("a rule opens %s", (_title, parts, closedBy) => {
  const policy = { ...policyOf(parts), agent: null };
  const around = { policies: [policy, never], holdings, now: testNow };
  expect(behindOf(policy, around).closedBy).toBe(closedBy);
});

test.each<[string, Partial<ListedPolicy["agent"]>, Behind]>([
  ["all of it", {}, { memories: 6, values: 1, closedBy: null }],
  [
    "what an admin's limit leaves",
    { ceiling: ["prof:interests.music"] },
    { memories: 2, values: 0, closedBy: null },
  ],
  [
    "nothing beside an admin's limit",
    { ceiling: ["prof:health"] },
    { memories: 0, values: 0, closedBy: "agent" },
  ],
  [
    "nothing where it is not verified",
    { verified: false },
    { memories: 0, values: 0, closedBy: "agent" },
  ],
])("a rule for one agent opens %s", (_title, parts, behind) => {
  const agent = { did: iris, name: "Iris", verified: true, ceiling: ["prof:*"], ...parts };
  const policy = policyOf({ agentPattern: iris, verifiedOnly: true, allow: ["prof:interests"] });
  const around = { policies: [policy, never], holdings, now: testNow };
  expect(behindOf({ ...policy, agent }, around)).toEqual(behind);
});

const engine = await testEngine();

test("the list counts live memories, and tells when a rule last decided", async () => {
  const owner = await mintOwner(engine);
  const agent = await mintAgent(engine);
  await giveMemory(engine, owner.profileId);
  await giveMemory(engine, owner.profileId, { archivedAt: testNow });
  const used = await givePolicy(engine, owner.profileId, { allow: ["prof:interests"] });
  const idle = await givePolicy(engine, owner.profileId, { allow: ["prof:episodic"] });
  await agent.client.getProfile({ did: owner.did });
  const { standing, behind, usedAt } = await listPolicies(signedIn(engine, owner), owner.did);
  const counted = Object.fromEntries(
    standing.map((policy) => [policy.id, behind(policy).memories]),
  );
  expect(counted).toEqual({ [used.id]: 1, [idle.id]: 0 });
  expect([...usedAt]).toEqual([[used.id, testNow]]);
});

test("a rule for one agent counts what an admin lets that agent read", async () => {
  const owner = await mintOwner(engine);
  await giveMemory(engine, owner.profileId);
  const opened = async (state: "active" | "suspended", ceiling: string[]) => {
    const { did: agentPattern } = await mintAgent(engine, { state, ceiling });
    const allow = ["prof:interests"];
    const { id } = await givePolicy(engine, owner.profileId, { agentPattern, allow });
    const { standing, behind } = await listPolicies(signedIn(engine, owner), owner.did);
    return standing.filter((policy) => policy.id === id).map(behind);
  };
  expect(await opened("active", ["prof:*"])).toEqual([{ memories: 1, values: 0, closedBy: null }]);
  expect(await opened("active", ["prof:health"])).toEqual([
    { memories: 0, values: 0, closedBy: "agent" },
  ]);
  expect(await opened("suspended", ["prof:*"])).toEqual([
    { memories: 0, values: 0, closedBy: "agent" },
  ]);
});
