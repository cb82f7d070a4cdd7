import { describe, expect, test } from "vitest";
import { z } from "zod";
import { SignUpForm } from "@/app/(auth)/schemas";
import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { signedInCookie, told } from "@/lib/testing/dashboard-api";
import { testEngine } from "@/lib/testing/harness";
import { mintAgent, mintOwner } from "@/lib/testing/personas";
import { call, profilePath } from "@/lib/testing/wire";
import { registerItself } from "./testing/register-itself";

// Members of a body that are not the sender's to choose.
const engine = await testEngine({ PEER_LIMIT: "1000000", AGENT_REGISTRATION: "approval" });
const policies = [{}, { permissions: ["propose" as const] }];
const owner = await mintOwner(engine, { policies });
const agent = await mintAgent(engine);
const cookie = await signedInCookie(engine, owner);

describe("members that are not the sender's to choose", () => {
  const stolen = {
    ...{
      id: "mine",
      profileId: 1,
      did: "did:prof:user:local:bob",
      ownerId: "usr_1",
      userId: "usr_1",
    },
    ...{ role: "admin", state: "active", status: "approved", verified: true, origin: "admin" },
    ...{
      source: "owner",
      memoryId: "mem_1",
      reviewedAt: "2026-01-01T00:00:00Z",
      registeredBy: "usr_1",
    },
    ...{
      createdAt: "2000-01-01T00:00:00Z",
      expiresAt: "2999-01-01T00:00:00Z",
      limits: { profile: 1e6 },
    },
    ...{ ceiling: ["prof:*"], grantedScopes: ["prof:*"], tokenHash: "x", lastFour: "0000" },
  };
  const post = (path: string, body: object) =>
    call(agent.client, {
      method: "POST",
      target: profilePath(owner.did, path),
      body: JSON.stringify(body),
    });

  test("of a proposal are left out", async () => {
    const own = {
      content: "Proposed.",
      category: "prof:interests",
      agentDid: "did:prof:agent:local:x",
    };
    const { status, body } = await post("/memories/propose", { ...stolen, ...own });
    expect(status).toBe(201);
    const { proposalId } = z.object({ proposalId: z.string() }).parse(body.data);
    const row = await engine.db.proposal.findUniqueOrThrow({ where: { id: proposalId } });
    expect(row).toMatchObject({
      ...{ profileId: owner.profileId, agentDid: agent.did, status: "pending" },
      reviewedAt: null,
    });
    expect(row.expiresAt.getTime() - engine.now().getTime()).toBe(7 * 86_400_000);
  });

  test("of a request for access are left out", async () => {
    const own = { scopes: ["prof:health"], purpose: { type: "research", status: "granted" } };
    const { status, body } = await post("/access", { ...stolen, ...own });
    expect([status, body.error?.code]).toEqual([200, undefined]);
    const [receipt] = await engine.db.receipt.findMany({ where: { profileId: owner.profileId } });
    expect(receipt).toMatchObject({ agentDid: agent.did, grantedScopes: ["prof:health"] });
    expect(receipt?.expiresAt.getTime()).toBe(engine.now().getTime() + 86_400_000);
  });

  test("of a memory are left out", async () => {
    const body = { ...stolen, content: "Added.", category: "prof:interests" };
    const params = { did: owner.did };
    const { data } = await told(sessionEndpoints.addMemory, { cookie, params, body });
    const row = await engine.db.memory.findUniqueOrThrow({ where: { id: data.id } });
    expect(row).toMatchObject({ profileId: owner.profileId, source: "owner", deletedAt: null });
    expect(row.createdAt).toEqual(engine.now());
  });

  test("of an agent that registers itself are left out", async () => {
    const { did, status } = await registerItself(engine, (own) => ({ ...stolen, ...own }));
    expect(status).toBe(201);
    expect(await engine.db.agent.findUniqueOrThrow({ where: { did } })).toMatchObject({
      ...{ state: "pending", verified: false, origin: "itself", registeredBy: null, limits: {} },
    });
  });

  test("of an account that signs up are left out", () => {
    const typed = {
      ...stolen,
      ...{ name: "Carol", email: "carol@example.com", handle: "carol", password: "x" },
    };
    expect(Object.keys(SignUpForm.parse(typed)).sort()).toEqual([
      "email",
      "handle",
      "name",
      "password",
    ]);
  });
});
