import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveToken,
  mintAgent,
  mintOwner,
  type PolicyGiven,
  type TokenGiven,
} from "@/tests/support/personas";

// Protocol 3: a token lets through what both its own scopes and the owner's policies give.
const engine = await testEngine();

async function connect(policies: PolicyGiven[], given: TokenGiven = {}) {
  const owner = await mintOwner(engine, { policies });
  for (const category of ["prof:interests", "prof:episodic", "prof:health"]) {
    await giveMemory(engine, owner.profileId, { category });
  }
  const agent = await mintAgent(engine);
  const token = await giveToken(engine, { owner, agent, ...given });
  return { owner, agent, ...token };
}

type Connected = Awaited<ReturnType<typeof connect>>;

async function shown({ client, owner }: Connected): Promise<string[]> {
  const { data } = await client.getProfile({ did: owner.did });
  return Object.keys(data.memories).sort();
}

describe("200", () => {
  test("the token's scopes narrow what the policies give", async () => {
    const connected = await connect([{ allow: ["prof:*"] }], { scopes: ["prof:interests"] });
    expect(await shown(connected)).toEqual(["prof:interests"]);
  });

  test("the policies narrow what the token's scopes give", async () => {
    const connected = await connect([{ allow: ["prof:episodic"] }], { scopes: ["prof:*"] });
    expect(await shown(connected)).toEqual(["prof:episodic"]);
  });

  test("only what lies in both is shown", async () => {
    const connected = await connect([{ allow: ["prof:episodic", "prof:interests"] }], {
      scopes: ["prof:health", "prof:interests"],
    });
    expect(await shown(connected)).toEqual(["prof:interests"]);
  });

  test("a token without policies shows nothing: revoking in either place is enough", async () => {
    expect(await shown(await connect([]))).toEqual([]);
  });

  test("a token without the permission read shows nothing", async () => {
    const connected = await connect([{}], { permissions: ["propose"] });
    expect(await shown(connected)).toEqual([]);
  });

  test("the event names the token's agent", async () => {
    const connected = await connect([{}]);
    await shown(connected);
    const [event] = await eventsOf(engine, connected.owner.profileId);
    expect(event).toMatchObject({ actor: "agent", actorId: connected.agent.did, outcome: "ok" });
  });

  test("scopes beyond the token are told in meta.deniedScopes", async () => {
    const { client, owner } = await connect([{}], { scopes: ["prof:interests"] });
    const scopes = ["prof:interests", "prof:health"];
    const { meta } = await client.getProfile({ did: owner.did, scopes });
    expect(meta.deniedScopes).toEqual(["prof:health"]);
  });
});

describe("403 PROF004", () => {
  test("for a scope that the policies allow and the token does not carry", async () => {
    const { client, owner } = await connect([{}], { scopes: ["prof:interests"] });
    const reading = client.getProfile({ did: owner.did, scopes: ["prof:health"] });
    await expect(reading).rejects.toMatchObject({
      status: 403,
      code: "PROF004",
      details: { deniedScopes: ["prof:health"] },
    });
  });
});
