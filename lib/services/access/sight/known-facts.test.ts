import { expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { testEngine, testNow } from "@/tests/support/harness";
import { givePolicy, mintOwner } from "@/tests/support/personas";
import { loadKnownFacts } from "./known-facts";

const engine = await testEngine();

async function register(names: readonly string[]): Promise<Did[]> {
  const at = { createdAt: testNow, updatedAt: testNow };
  const dids = names.map((name) => `did:prof:agent:local:${name}`);
  await engine.db.agent.createMany({
    data: dids.map((did) => ({ ...at, did, name: did, origin: "itself", state: "active" })),
  });
  return dids;
}

test("beyond 200 agents those stay that a rule may mean, and the others are counted", async () => {
  const { profileId } = await mintOwner(engine);
  const asking = await register(Array.from({ length: 230 }, (_, nth) => `a${nth}`));
  await engine.db.consentRequest.createMany({
    data: asking.map((agentDid) => ({
      ...{ id: newId("creq"), profileId, agentDid, scopes: ["prof:interests"] },
      ...{ purposeType: "analysis", status: "pending", requestedAt: testNow },
    })),
  });
  const meant = await register(["z-named", "z-meant", "z-elsewhere"]);
  const patterns = ["did:prof:agent:local:z-named", "did:prof:agent:local:z-m*"];
  for (const agentPattern of patterns) {
    await givePolicy(engine, profileId, { agentPattern, allow: ["prof:interests"] });
  }
  const { known, leftOut } = await loadKnownFacts(engine.db, { profileId, now: testNow });
  const found = known.map(({ agent }) => agent.did);
  expect(found).toHaveLength(200);
  expect(meant.filter((did) => found.includes(did))).toEqual(meant.slice(0, 2));
  expect(leftOut).toBe(32);
});
