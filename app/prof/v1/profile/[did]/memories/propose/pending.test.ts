import { describe, expect, test } from "vitest";
import { collide } from "@/tests/support/collide";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveProposal,
  type Minted,
  mintAgent,
  mintOwner,
} from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";

// Protocol 6: an agent may have 100 pending proposals on one profile.
const engine = await testEngine();

async function fill(agent: Minted, profileId: number, count: number) {
  const agentDid = agent.did;
  for (let nth = 0; nth < count; nth++) {
    const proposedAt = new Date(testNow.getTime() - (count - nth) * 1_000);
    const expiresAt = new Date(proposedAt.getTime() + 7 * 86_400_000);
    await giveProposal(engine, { profileId, agentDid, proposedAt, expiresAt });
  }
}

async function crowded(count: number) {
  const owner = await mintOwner(engine, { policies: [{ permissions: ["propose"] }] });
  const agent = await mintAgent(engine);
  await fill(agent, owner.profileId, count);
  const propose = (content: string, { client }: Minted = agent) =>
    client.proposeMemory({ did: owner.did, content, category: "prof:interests" });
  return { owner, agent, propose };
}

describe("429 PROF005", () => {
  test("the 100th pending proposal is taken, the 101st is not, and the refusal is on record", async () => {
    const { owner, propose } = await crowded(99);
    expect((await propose("The hundredth.")).status).toBe(201);
    await expect(propose("One too many.")).rejects.toMatchObject({
      status: 429,
      code: "PROF005",
      message: expect.stringContaining("100 pending"),
      details: { limit: 100 },
    });
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ outcome }) => outcome).sort()).toEqual(["PROF005", "ok"]);
    const pending = await engine.db.proposal.count({ where: { profileId: owner.profileId } });
    expect(pending).toBe(100);
  });

  test("exactly one of many at once gets the last place", async () => {
    const { propose } = await crowded(99);
    const attempts = Array.from({ length: 8 }, (_, nth) => () => propose(`Attempt ${nth}.`));
    const outcomes = await collide(engine, "Proposal", attempts);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("Retry-After is when the oldest of them ends", async () => {
    const { owner, agent } = await crowded(100);
    const body = JSON.stringify({ content: "One too many.", category: "prof:interests" });
    const target = profilePath(owner.did, "/memories/propose");
    const { status, headers } = await call(agent.client, { method: "POST", target, body });
    expect(status).toBe(429);
    expect(headers.get("Retry-After")).toBe(String(7 * 86_400 - 100));
  });
});

describe("still taken", () => {
  test("from another agent, by another profile, and what is pending already", async () => {
    const { agent, propose } = await crowded(99);
    await propose("Known.");
    expect((await propose("Known.")).status).toBe(200);
    expect((await propose("New.", await mintAgent(engine))).status).toBe(201);
    const elsewhere = await mintOwner(engine, { policies: [{ permissions: ["propose"] }] });
    const { status } = await agent.client.proposeMemory({
      did: elsewhere.did,
      content: "New.",
      category: "prof:interests",
    });
    expect(status).toBe(201);
  });

  test("once one of the hundred has expired", async () => {
    const { propose } = await crowded(100);
    engine.setNow(new Date(testNow.getTime() + 7 * 86_400_000 - 100_000));
    expect((await propose("In its place.")).status).toBe(201);
    engine.setNow(testNow);
  });
});
