import { beforeEach, describe, expect, test } from "vitest";
import { collide } from "@/tests/support/collide";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { decideConsent, listPendingConsents } from "./consents";
import { restoreAccess } from "./restore";

// Protocol 6: what an owner left out of an answer is not asked again for 30 days.
const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
const dayMs = 24 * 60 * 60_000;
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
});

const ctx = () => signedIn(engine, owner);

interface Details {
  deniedScopes: string[];
  state: string;
  consentRequestId?: string;
}

/** What the refusal says, or null where there is a receipt. */
async function ask(
  scopes: string[],
  { by = agent, type = "support" } = {},
): Promise<Details | null> {
  const asking = by.client.requestAccess({ did: owner.did, scopes, purpose: { type } });
  return asking.then(
    () => null,
    ({ details }) => details,
  );
}

async function answer(granted: string[]): Promise<{ eventId: string }> {
  const [request] = await pending();
  const given = { requestId: request?.id ?? "", scopes: granted, choice: "once" } as const;
  return decideConsent(ctx(), { did: owner.did, ...given });
}

function pending() {
  return listPendingConsents(ctx(), owner.did);
}

describe("refused scopes", () => {
  test("is denied for 30 days, without a new request, and asked again after that", async () => {
    expect(await ask(["prof:health"])).toMatchObject({ state: "waiting" });
    await answer([]);
    for (const days of [0, 29]) {
      engine.setNow(new Date(testNow.getTime() + days * dayMs));
      expect(await ask(["prof:health"])).toEqual({
        deniedScopes: ["prof:health"],
        state: "denied",
      });
    }
    expect(await pending()).toEqual([]);
    engine.setNow(new Date(testNow.getTime() + 30 * dayMs));
    expect(await ask(["prof:health"])).toMatchObject({ state: "waiting" });
  });

  test("tells the owner's log why", async () => {
    await ask(["prof:health"]);
    await answer([]);
    engine.setNow(new Date(testNow.getTime() + 1));
    await ask(["prof:health"]);
    const event = (await eventsOf(engine, owner.profileId)).at(-1);
    expect(event).toMatchObject({
      outcome: "PROF004",
      denied: ["prof:health"],
      reasons: { "prof:health": { rule: "refused" } },
      subjectId: null,
    });
  });

  test("is what a grant leaves out, and no more", async () => {
    await ask(["prof:health", "prof:interests", "prof:episodic"]);
    await answer(["prof:interests"]);
    expect(await ask(["prof:health", "prof:interests"])).toBeNull();
    expect(await ask(["prof:health", "prof:episodic"])).toMatchObject({ state: "denied" });
    expect(await pending()).toEqual([]);
  });

  test("does not keep other scopes from opening one request", async () => {
    await ask(["prof:health"]);
    await answer([]);
    const details = await ask(["prof:health", "prof:interests"]);
    expect(details).toMatchObject({
      deniedScopes: ["prof:health", "prof:interests"],
      state: "waiting",
    });
    expect(await pending()).toMatchObject([
      { id: details?.consentRequestId, scopes: ["prof:interests"] },
    ]);
  });

  test.each([
    ["prof:health", "prof:health.*", "denied"],
    ["prof:health.*", "prof:health", "denied"],
    ["prof:health", "prof:health.sleep", "denied"],
    ["prof:health.sleep", "prof:health", "waiting"],
    ["prof:*", "prof:*", "denied"],
    ["prof:*", "prof:interests", "waiting"],
  ])("as %s, answers %s with %s", async (refused, input, state) => {
    await ask([refused]);
    await answer([]);
    expect(await ask([input])).toMatchObject({ state });
  });

  test("names what the owner was asked for, and not what a rule denies", async () => {
    await givePolicy(engine, owner.profileId, { allow: [], deny: ["prof:health"] });
    const input = { did: owner.did, scopes: ["prof:health", "prof:episodic"] };
    const asking = agent.client.requestAccess({ ...input, purpose: { type: "support" } });
    await expect(asking).rejects.toThrow("consent is required for prof:episodic. The owner has");
  });

  test("does not count for another purpose, agent or profile", async () => {
    await ask(["prof:health"]);
    await answer([]);
    const by = await mintAgent(engine);
    expect(await ask(["prof:health"], { type: "research" })).toMatchObject({ state: "waiting" });
    expect(await ask(["prof:health"], { by })).toMatchObject({ state: "waiting" });
    owner = await mintOwner(engine);
    expect(await ask(["prof:health"])).toMatchObject({ state: "waiting" });
  });

  test("is granted by a later rule that allows it", async () => {
    await ask(["prof:health"]);
    await answer([]);
    await givePolicy(engine, owner.profileId, { allow: ["prof:health"] });
    expect(await ask(["prof:health"])).toBeNull();
  });

  test("can be asked again once the answer is undone", async () => {
    await ask(["prof:health"]);
    const { eventId } = await answer([]);
    await restoreAccess(ctx(), { did: owner.did, eventId });
    expect(await ask(["prof:health"])).toMatchObject({ state: "waiting" });
    expect(await pending()).toMatchObject([{ timesAsked: 2 }]);
  });

  test("opens no new request where it was asked while the owner refused it", async () => {
    await ask(["prof:health"]);
    const calls: (() => Promise<unknown>)[] = [
      () => answer([]),
      ...Array.from({ length: 6 }, () => () => ask(["prof:health"])),
    ];
    await collide(engine, "ConsentRequest", calls);
    expect(await pending()).toEqual([]);
    expect(await ask(["prof:health"])).toMatchObject({ state: "denied" });
  });
});
