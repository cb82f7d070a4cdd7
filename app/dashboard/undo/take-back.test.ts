import { expect, test } from "vitest";
import { shrinkAccess } from "@/lib/services/access/unused/shrink-access";
import { testEngine } from "@/tests/support/harness";
import { givePolicy, mintAgent, mintOwner, signedIn } from "@/tests/support/personas";
import { UndoForm } from "./schemas";
import { takeBack } from "./take-back";

const engine = await testEngine();
const dayMs = 24 * 60 * 60_000;

test("the undo of an unused scope gives back the rule as it was", async () => {
  const [owner, agent] = [await mintOwner(engine), await mintAgent(engine)];
  const { did } = owner;
  const old = new Date(engine.now().getTime() - 90 * dayMs);
  const allow = ["prof:health", "prof:interests"];
  const given = { agentPattern: agent.did, allow, createdAt: old, updatedAt: old };
  const { id: policyId } = await givePolicy(engine, owner.profileId, given);
  const allowed = () =>
    engine.db.policy.findUnique({ where: { id: policyId }, select: { allow: true } });
  const shrinking = { did, agentDid: agent.did, policyId, scope: "prof:health" };
  const { eventId } = await shrinkAccess(signedIn(engine, owner), shrinking);
  expect(await allowed()).toEqual({ allow: ["prof:interests"] });
  engine.setNow(new Date(engine.now().getTime() + 1_000));
  const undo = UndoForm.parse({ kind: "rule-change", id: `${policyId},${eventId}` });
  expect(await takeBack(signedIn(engine, owner), { did, ...undo })).toBe(
    "Undone: the rule is as it was.",
  );
  expect(await allowed()).toEqual({ allow });
});
