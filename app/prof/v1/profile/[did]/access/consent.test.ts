import { describe, expect, test } from "vitest";
import { collide } from "@/tests/support/collide";
import { testEngine } from "@/tests/support/harness";
import { eventsOf, type Minted, mintAgent, mintOwner, type Owner } from "@/tests/support/personas";

// Protocol 6: one pending consent request an agent and purpose; repeats join it.
const engine = await testEngine({ PUBLIC_URL: "https://gateway.example, http://gateway.test" });

type Details = { consentRequestId?: string; consentUrl?: string };

async function ask(agent: Minted, owner: Owner, scopes: string[], type = "support") {
  const asking = agent.client.requestAccess({ did: owner.did, scopes, purpose: { type } });
  const failure = await asking.then(
    () => expect.unreachable("nothing was to be granted"),
    (error: { code: string; details: Details }) => error,
  );
  expect(failure.code).toBe("PROF004");
  return failure.details;
}

function requestsOf({ profileId }: Owner) {
  return engine.db.consentRequest.findMany({ where: { profileId } });
}

async function pair() {
  return { owner: await mintOwner(engine), agent: await mintAgent(engine) };
}

describe("a repeated request for access", () => {
  test("joins the pending one, which then holds the scopes of both in the order asked", async () => {
    const { owner, agent } = await pair();
    const first = await ask(agent, owner, ["prof:health", "prof:interests"]);
    const second = await ask(agent, owner, ["prof:episodic", "prof:health"]);
    expect(second.consentRequestId).toBe(first.consentRequestId);
    expect(await requestsOf(owner)).toMatchObject([
      { scopes: ["prof:health", "prof:interests", "prof:episodic"], timesAsked: 2 },
    ]);
    expect(await eventsOf(engine, owner.profileId)).toHaveLength(2);
  });

  test("leaves one request, however many come at once", async () => {
    const { owner, agent } = await pair();
    const scopes = Array.from({ length: 8 }, (_, index) => `prof:s${index}`);
    const calls = scopes.map((scope) => () => ask(agent, owner, [scope]));
    const ids = (await collide(engine, "ConsentRequest", calls)).map((each) =>
      each.status === "fulfilled" ? each.value.consentRequestId : String(each.reason),
    );
    expect(new Set(ids).size).toBe(1);
    const [joined, ...others] = await requestsOf(owner);
    expect(others).toEqual([]);
    expect(joined?.timesAsked).toBe(8);
    expect(joined?.scopes.toSorted()).toEqual(scopes);
  });

  test("holds no more than 50 scopes", async () => {
    const { owner, agent } = await pair();
    const scopes = (name: string) => Array.from({ length: 50 }, (_, i) => `prof:${name}${i}`);
    await ask(agent, owner, scopes("a"));
    await ask(agent, owner, scopes("b"));
    const [joined] = await requestsOf(owner);
    expect(joined?.scopes).toEqual(scopes("a"));
  });

  test("for another purpose, by another agent or once decided is a request of its own", async () => {
    const { owner, agent } = await pair();
    const other = await mintAgent(engine);
    const { consentRequestId } = await ask(agent, owner, ["prof:a"]);
    await ask(agent, owner, ["prof:a"], "research");
    await ask(other, owner, ["prof:a"]);
    await engine.db.consentRequest.update({
      where: { id: consentRequestId },
      data: { status: "denied", decidedAt: engine.now() },
    });
    await ask(agent, owner, ["prof:a"]);
    expect(await requestsOf(owner)).toHaveLength(4);
  });
});

describe("consentUrl", () => {
  test("stands at the first address of PUBLIC_URL, whichever the agent used", async () => {
    const { owner, agent } = await pair();
    const { consentUrl, consentRequestId } = await ask(agent, owner, ["prof:a"]);
    expect(consentUrl).toBe(`https://gateway.example/dashboard/access?request=${consentRequestId}`);
  });
});
