import { expect, test } from "vitest";
import { ownerApi as at } from "@/lib/http/api/tables";
import { answerOf, ask, signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintOwner } from "@/tests/support/personas";

// Protocol 8: a policy with a restriction that nobody reads would open more than its owner wrote.
const engine = await testEngine();
const policy = {
  agentPattern: "did:prof:agent:*:*",
  allow: ["prof:interests"],
  permissions: ["read"],
};

test.each([
  ["purpose", ["research"]],
  ["expires", "2026-12-01T00:00:00Z"],
  ["conditions", { verified: true }],
])(
  "a policy with the unknown member %s is 400 PROF006 naming it, and nothing changes",
  async (member, value) => {
    const owner = await mintOwner(engine);
    const cookie = await signedInCookie(engine, owner);
    const params = { did: owner.did };
    const { data } = await answerOf(at.addPolicy, { cookie, params, body: policy });
    const [before] = await engine.db.policy.findMany({ where: { profileId: owner.profileId } });
    const misspelt = { [member]: value };
    const its = { cookie, params: { ...params, policyId: data.id } };
    const updatedAt = before?.updatedAt.toISOString();
    const replies = [
      await ask(at.addPolicy, { cookie, params, body: { ...policy, ...misspelt } }),
      await ask(at.editPolicy, { ...its, body: { ...policy, updatedAt, ...misspelt } }),
      await ask(at.switchPolicy, { ...its, body: { enabled: false, ...misspelt } }),
    ];
    for (const { status, body } of replies) {
      expect([status, body.error?.code]).toEqual([400, "PROF006"]);
      expect(body.error?.message).toContain(`"${member}"`);
    }
    expect(await engine.db.policy.findMany({ where: { profileId: owner.profileId } })).toEqual([
      before,
    ]);
  },
);
