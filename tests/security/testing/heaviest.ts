import { createHash } from "node:crypto";
import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { agentDid } from "@/lib/protocol/did";
import { everyAgent } from "@/lib/rules/facts";
import { giveQuestion } from "@/tests/support/connecting/question";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { type Minted, madeNow, mintAgent, mintOwner, type Owner } from "@/tests/support/personas";

const dayMs = 24 * 60 * 60_000;
const range = (count: number) => Array.from({ length: count }, (_, number) => number);

// As many and as long as the limits allow, so that each entry of a list weighs the most.
const categories = range(500).map((number) => {
  const start = `prof:${String(number).padStart(3, "0")}${"a".repeat(55)}`;
  return `${start}.${"b".repeat(127 - start.length)}`;
});
/** Half of it is hidden characters, each of which a page shows by its code. */
const content = (number: number) => `${number} ${"\u200b<".repeat(4_990)}`.slice(0, 10_000);
const hashOf = (text: string) => new Uint8Array(createHash("sha256").update(text).digest());

export interface HeaviestAccount {
  owner: Owner;
  cookie: string;
  agent: Minted;
  memoryId: string;
  requestId: string;
  policyId: string;
  /** What the page of a client's question is called. */
  question: string;
}

/** Creates an account whose profile is filled to its limits, and an agent that reads all of it. */
export async function mintHeaviestAccount(engine: Engine): Promise<HeaviestAccount> {
  const preferences = Object.fromEntries(
    range(800).map((number) => [`${number}`.padEnd(60, "p"), number]),
  );
  const owner = await mintOwner(engine, { common: { preferences } });
  const named = { name: "<".repeat(100), description: "<".repeat(500), operator: "<".repeat(200) };
  const agent = await mintAgent(engine, { ...named, verified: true });
  const others = range(49).map(() => agentDid("local", newId("o".repeat(40))));
  await engine.db.agent.createMany({
    data: others.map((did) => ({
      ...madeNow(engine),
      ...named,
      did,
      state: "active",
      origin: "user",
    })),
  });
  const account = { owner, agent, others, now: engine.now() };
  await fillContents(engine, account);
  await fillAccess(engine, account);
  await fillActivity(engine, account);
  const [memory, request, policy] = await Promise.all([
    engine.db.memory.findFirstOrThrow({ where: { profileId: owner.profileId } }),
    engine.db.consentRequest.findFirstOrThrow({ where: { profileId: owner.profileId } }),
    engine.db.policy.findFirstOrThrow({
      where: {
        profileId: owner.profileId,
        allow: { isEmpty: false },
        deny: { has: categories[399] },
      },
      orderBy: { createdAt: "desc" },
    }),
  ]);
  await engine.db.memoryRevision.createMany({
    data: range(50).map((number) => ({
      createdAt: engine.now(),
      ...{ memoryId: memory.id, category: categories[number] ?? "", cause: "edited" as const },
      ...{ content: content(1_000 + number), confidence: 0.5 },
    })),
  });
  const cookie = await signedInCookie(engine, owner);
  const ids = { memoryId: memory.id, requestId: request.id, policyId: policy.id };
  const asking = { name: "<".repeat(100), scopes: request.scopes };
  const { question } = await giveQuestion(engine, asking);
  return { owner, cookie, agent, ...ids, question };
}

interface Account {
  owner: Owner;
  agent: Minted;
  others: string[];
  now: Date;
}

async function fillContents({ db }: Engine, { owner, agent, now }: Account): Promise<void> {
  const { profileId } = owner;
  await db.namedValue.createMany({
    data: categories.map((category, number) => ({
      updatedAt: now,
      ...{ profileId, category, name: `${number}`.padEnd(64, "n") },
      value: "<".repeat(2_000),
    })),
  });
  const written = { profileId, confidence: 0.5, agentDid: agent.did };
  await db.memory.createMany({
    data: categories.slice(0, 400).map((category, number) => ({
      ...{ createdAt: now, updatedAt: now },
      ...{ ...written, id: newId("mem"), category, content: content(number) },
      source: "agent" as const,
    })),
  });
  const decided = { status: "rejected", reviewedBy: owner.did, reason: "<".repeat(500) } as const;
  await db.proposal.createMany({
    data: range(140).map((number) => ({
      proposedAt: now,
      ...{ ...written, id: newId("prop"), category: categories[number] ?? "" },
      ...{ content: content(number), contentHash: hashOf(content(number)) },
      ...{ context: "<".repeat(1_000), expiresAt: new Date(now.getTime() + 7 * dayMs) },
      ...(number < 100 ? {} : { ...decided, reviewedAt: now }),
    })),
  });
}

async function fillAccess({ db }: Engine, { owner, agent, others, now }: Account): Promise<void> {
  const { profileId } = owner;
  const end = new Date(now.getTime() + dayMs / 2);
  const origins = ["owner", "template", "consent", "token"] as const;
  await db.policy.createMany({
    data: range(1_000)
      .map((number) => ({
        ...{ profileId, id: newId("pol"), permissions: ["read", "propose"] as const },
        agentPattern: number % 2 ? agent.did : (others[number % 50] ?? everyAgent),
        ...{ enabled: number < 200, createdAt: now, updatedAt: now },
        allow: number < 100 ? ["prof:*"] : categories.slice(number % 400, (number % 400) + 3),
        deny: number < 100 ? [] : categories.slice(400 + (number % 100), 402 + (number % 100)),
        purposes: [`prof${number}`.padEnd(64, "u")],
        origin: origins[number % origins.length] ?? "owner",
      }))
      .map((row) => ({ ...row, permissions: [...row.permissions] })),
  });
  await db.policy.create({
    data: {
      ...{ createdAt: now, updatedAt: now },
      ...{ profileId, id: newId("pol"), agentPattern: agent.did, permissions: ["read"] },
      ...{ allow: categories.slice(300, 350), deny: categories.slice(350, 400), origin: "owner" },
    },
  });
  const purpose = { purposeType: "research", purposeDescription: "<".repeat(500) };
  const input = { profileId, agentDid: agent.did, ...purpose };
  await db.receipt.createMany({
    data: range(1_000).map((number) => ({
      ...{ ...input, id: newId("rcpt"), grantedScopes: categories.slice(0, 50) },
      ...{ deniedScopes: categories.slice(50, 100), grantedAt: now },
      expiresAt: new Date(end.getTime() + number),
    })),
  });
  await db.consentRequest.createMany({
    data: range(30).map((number) => ({
      requestedAt: now,
      ...{ ...input, id: newId("creq"), scopes: categories.slice(400, 450) },
      purposeType: `${number}`.padEnd(64, "u"),
    })),
  });
  await db.connectionToken.createMany({
    data: range(100).map((number) => ({
      createdAt: now,
      ...{ profileId, agentDid: agent.did, id: newId("tok"), lastFour: "abcd" },
      ...{ tokenHash: hashOf(`${profileId} ${number}`), label: "<".repeat(100) },
      ...{ scopes: categories.slice(0, 50), permissions: ["read" as const], expiresAt: end },
    })),
  });
}

async function fillActivity({ db }: Engine, { owner, agent, now }: Account): Promise<void> {
  const policies = await db.policy.findMany({ where: { profileId: owner.profileId }, take: 100 });
  const hundred = categories.slice(0, 100);
  const items = Object.fromEntries(hundred.map((category) => [category, 3]));
  const reasons = Object.fromEntries(
    hundred.map((category, number) => [
      category,
      { rule: "allow", policyId: policies[number]?.id ?? null, receiptId: null },
    ]),
  );
  await db.accessEvent.createMany({
    data: range(200).map((number) => ({
      ...{ profileId: owner.profileId, id: newId("evt"), at: new Date(now.getTime() - number) },
      ...{ actor: "agent" as const, actorId: agent.did, verb: "getProfile", outcome: "ok" },
      ...{ asked: hundred, granted: hundred, denied: hundred, items, reasons },
      ...{ purposeType: "research", requestId: newId("req") },
    })),
  });
}
