import { beforeEach, describe, expect, test } from "vitest";
import { POST as answerAccess } from "@/app/api/access-requests/[id]/answer/route";
import { GET as followAccess } from "@/app/api/access-requests/[id]/route";
import { POST as answerProposal } from "@/app/api/proposals/[id]/answer/route";
import { GET as followProposal } from "@/app/api/proposals/[id]/route";
import { POST as withdraw } from "@/app/api/proposals/[id]/withdraw/route";
import type { RouteFunction } from "@/lib/http/protocol-route";
import type { ConsentChoice } from "@/lib/rules/access";
import { decideConsent } from "@/lib/services/access/consents";
import { revokeAgent } from "@/lib/services/access/revoke-agent";
import { reviewProposal } from "@/lib/services/proposals/deciding/review";
import { askWhy } from "@/lib/services/requests/inquiry";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveProposal,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { call, profilePath, type Reply, replyOf } from "@/tests/support/wire";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROPOSALS: "1000" });
const scopes = ["prof:interests"];
let owner: Owner;
let agent: Minted;
let other: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  [agent, other] = [await mintAgent(engine), await mintAgent(engine)];
});

function request(prefer: string | null = "wait=0"): Promise<Reply> {
  const body = JSON.stringify({ scopes, purpose: { type: "personalization" } });
  const target = profilePath(owner.did, "/access");
  return call(agent.client, { method: "POST", target, body }, { Prefer: prefer });
}

interface Sent {
  by?: Minted;
  body?: unknown;
  headers?: Record<string, string>;
}

async function at(route: RouteFunction, path: string, { by = agent, body, headers }: Sent = {}) {
  const method = path.endsWith("/answer") || path.endsWith("/withdraw") ? "POST" : "GET";
  const signed = await by.client.signedRequest({
    method,
    target: path,
    body: JSON.stringify(body),
  });
  const { url, body: sent } = signed;
  const all = { ...signed.headers, ...headers };
  return replyOf(await route(new Request(url, { method, headers: all, body: sent })));
}

const follow = (id: string, sent?: Sent) => at(followAccess, `/api/access-requests/${id}`, sent);

async function waiting(): Promise<string> {
  const { body } = await request();
  return (body.data as { id: string }).id;
}

const decide = (requestId: string, granted: string[], choice: ConsentChoice = "1d") =>
  decideConsent(signedIn(engine, owner), { did: owner.did, requestId, scopes: granted, choice });

describe("an access request whose caller would wait", () => {
  test("is answered by where to look it up, and is otherwise as the specification has it", async () => {
    const { status, headers, body } = await request();
    const { id } = body.data as { id: string };
    expect([status, body.data]).toEqual([202, { id, state: "waiting" }]);
    expect(headers.get("location")).toBe(`/api/access-requests/${id}`);
    expect(headers.get("retry-after")).toBe("5");
    for (const prefer of [null, "respond-async", "wait=x"]) {
      expect((await request(prefer)).status).toBe(403);
    }
  });

  test("is looked up by who made it: granted, refused, run out, ended", async () => {
    const id = await waiting();
    expect((await follow(id)).status).toBe(202);
    await decide(id, scopes);
    const granted = await follow(id);
    expect([granted.status, granted.body.data]).toMatchObject([200, { grantedScopes: scopes }]);
    expect((await request()).status).toBe(200);
    engine.setNow(new Date(testNow.getTime() + 86_400_000));
    expect((await follow(id)).status).toBe(408);
    const next = await waiting();
    await decide(next, []);
    const refused = await follow(next);
    expect([refused.status, refused.body.error?.details?.state]).toEqual([403, "denied"]);
  });

  test("says that the owner ended what it granted", async () => {
    const id = await waiting();
    await decide(id, scopes);
    await revokeAgent(signedIn(engine, owner), { did: owner.did, agentDid: agent.did });
    const { status, body } = await follow(id);
    expect([status, body.error?.code]).toEqual([410, "PROF006"]);
  });

  test("waits until the owner has decided", async () => {
    const id = await waiting();
    const prefer = { Prefer: "respond-async, wait=40" };
    const [answer] = await Promise.all([follow(id, { headers: prefer }), decide(id, scopes)]);
    expect(answer.status).toBe(200);
  });
});

test("nobody else finds it, nor a proposal: not even whether there is one", async () => {
  const id = await waiting();
  const { id: prop } = await giveProposal(engine, {
    profileId: owner.profileId,
    agentDid: agent.did,
  });
  await askWhy(signedIn(engine, owner), { did: owner.did, id: prop, question: "Why?" });
  const body = { answer: "So." };
  const tries = [
    await follow(id, { by: other }),
    await follow("creq_0000000000000000000000"),
    await at(followProposal, `/api/proposals/${prop}`, { by: other }),
    await at(answerProposal, `/api/proposals/${prop}/answer`, { by: other, body }),
    await at(answerAccess, `/api/access-requests/${id}/answer`, { body }),
    await at(withdraw, `/api/proposals/${prop}/withdraw`, { by: other }),
  ];
  expect(tries.map(({ status }) => status)).toEqual(Array(6).fill(404));
  const bare = await followAccess(new Request(`http://gateway.test/api/access-requests/${id}`));
  expect(bare.status).toBe(401);
});

test("the owner asks once, as long as it waits, and the agent answers once", async () => {
  const id = await waiting();
  const ask = (question: string, by = owner) =>
    askWhy(signedIn(engine, by), { did: owner.did, id, question });
  await expect(ask("Why?", await mintOwner(engine))).rejects.toMatchObject({ code: "PROF002" });
  await ask("Which trains?");
  await expect(ask("And why?")).rejects.toThrow("asked about this already");
  const inquiry = { question: "Which trains?", answer: null };
  expect((await follow(id)).body.data).toMatchObject({ inquiry });
  const path = `/api/access-requests/${id}/answer`;
  const answer = (text: unknown) => at(answerAccess, path, { body: { answer: text } });
  for (const wrong of ["", "x".repeat(501), 1, undefined]) {
    expect((await answer(wrong)).status).toBe(400);
  }
  const said = await Promise.all([answer("Slow ones."), answer("Fast ones.")]);
  expect(said.map(({ status }) => status).sort()).toEqual([200, 400]);
  const decided = await waiting();
  await decide(decided, []);
  await expect(ask("Too late?")).rejects.toThrow("decided in the meantime");
});

test("a proposal is looked up, and taken back as long as it waits", async () => {
  const given = { profileId: owner.profileId, agentDid: agent.did };
  const [{ id }, { id: kept }] = [
    await giveProposal(engine, given),
    await giveProposal(engine, given),
  ];
  const look = (one: string) => at(followProposal, `/api/proposals/${one}`);
  const back = (one: string) => at(withdraw, `/api/proposals/${one}/withdraw`);
  expect((await look(id)).body.data).toMatchObject({ id, state: "pending", reason: null });
  expect((await back(id)).body.data).toEqual({ id, state: "rejected", reason: "withdrawn" });
  const review = { did: owner.did, proposalId: id, action: "approve" } as const;
  await expect(reviewProposal(signedIn(engine, owner), review)).rejects.toThrow();
  await reviewProposal(signedIn(engine, owner), { ...review, proposalId: kept });
  expect((await back(kept)).status).toBe(400);
  const { memoryId } = (await look(kept)).body.data as { memoryId: string };
  expect(memoryId).toMatch(/^mem_/);
});
