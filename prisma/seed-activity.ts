import { randomBytes } from "node:crypto";
import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { agentDid, type Did } from "@/lib/protocol/did";
import { GatewayError } from "@/lib/protocol/errors";
import type { Caller } from "@/lib/rules/may";
import { decideConsent, listPendingConsents } from "@/lib/services/access/consents";
import { visit } from "@/lib/services/activity/visit";
import { type Ctx, contextOf } from "@/lib/services/context";
import { listMemories } from "@/lib/services/memories/list";
import { addPolicy } from "@/lib/services/policies/policies";
import { getProfile } from "@/lib/services/profiles";
import { reviewProposal } from "@/lib/services/proposals/deciding/review";
import { proposeMemory } from "@/lib/services/proposals/propose";
import { requestAccess } from "@/lib/services/receipts/receipts";
import { type AgentName, agents, proposals } from "./seed-content";

// Creates the past weeks of Alice's profile through the verbs themselves, each at its own time, so that the log
// is genuine.

interface Stage {
  engine: Engine;
  address: string;
  did: Did;
  owner: Caller;
}

export async function seedActivity(
  { engine, address }: { engine: Engine; address: string },
  did: Did,
): Promise<void> {
  const { ownerId } = await engine.db.profile.findUniqueOrThrow({ where: { did } });
  const sessionId = await openSession(engine, ownerId);
  const owner = { kind: "person", userId: ownerId, role: "user", sessionId } as const;
  const stage = { engine, address, did, owner };
  await denyFinancial(stage);
  await letAtlasPlan(stage);
  for (const days of [12, 8, 6.2, 3, 2.5, 1.1, 0.2]) {
    await getProfile(ctxAt(engine, await agent(stage, "iris"), days), { did });
  }
  await refuseNova(stage);
  for (const proposal of proposals) await proposeAndReview(stage, proposal);
  await visit(ctxAt(engine, owner, 1), did);
  await engine.db.session.delete({ where: { id: sessionId } });
}

// Verbs need the owner's session; its cookie is not given to anybody.
async function openSession(engine: Engine, userId: string): Promise<string> {
  const id = newId("ses");
  const now = engine.now();
  const tokenHash = new Uint8Array(randomBytes(32));
  const session = { id, userId, tokenHash, createdAt: now, lastSeenAt: now, confirmedAt: now };
  await engine.db.session.create({
    data: { ...session, expiresAt: new Date(now.getTime() + 60 * 60_000) },
  });
  return id;
}

async function denyFinancial({ engine, did, owner }: Stage): Promise<void> {
  await addPolicy(ctxAt(engine, owner, 50), {
    did,
    policy: {
      agentPattern: "did:prof:agent:*:*",
      verifiedOnly: false,
      allow: [],
      deny: ["prof:financial"],
      permissions: ["read"],
      purposes: [],
      maxRetention: null,
      receiptSeconds: null,
      expiresAt: null,
      origin: "owner",
    },
  });
}

const travel = {
  type: "service_delivery",
  description: "Plan the autumn journey.",
  legalBasis: "consent",
  retention: "session_only",
};

// Asks for access, gets part of it for a month, and uses that part.
async function letAtlasPlan(stage: Stage): Promise<void> {
  const { engine, did, owner, address: origin } = stage;
  const atlas = await agent(stage, "atlas");
  const scopes = ["prof:preferences.travel", "prof:interests"];
  const input = { did, purpose: travel, origin };
  await refusable(() => requestAccess(ctxAt(engine, atlas, 10), { ...input, scopes }));
  const ctx = ctxAt(engine, owner, 9.9);
  const granted = scopes.slice(0, 1);
  for (const { id: requestId } of await listPendingConsents(ctx, did)) {
    await decideConsent(ctx, { did, requestId, scopes: granted, choice: "30d" });
  }
  for (const days of [9.5, 8.2, 7.1, 5.1]) {
    await requestAccess(ctxAt(engine, atlas, days), { ...input, scopes: granted });
    await listMemories(ctxAt(engine, atlas, days), { did, limit: 50, offset: 0 });
  }
}

// Finds closed doors, and leaves a request that waits for the owner.
async function refuseNova(stage: Stage): Promise<void> {
  const { engine, did, address: origin } = stage;
  const nova = await agent(stage, "nova");
  const closed = ["prof:health", "prof:relationships"];
  await refusable(() => getProfile(ctxAt(engine, nova, 4), { did, scopes: closed }));
  const purpose = {
    type: "recommendation",
    description: "Suggest three exhibitions this month, in her language, for her and her guests.",
    legalBasis: "consent",
    retention: "30d",
  };
  const scopes = ["prof:interests", "prof:preferences.language", "prof:relationships"];
  const input = { did, scopes, purpose, origin };
  // Seconds apart, so that they fall on one day and fold into one line of the overview.
  for (const days of [0.3001, 0.3]) {
    await refusable(() => requestAccess(ctxAt(engine, nova, days), input));
  }
}

async function proposeAndReview(
  stage: Stage,
  { agent: name, daysAgo: days, review, ...proposal }: (typeof proposals)[number],
): Promise<void> {
  const { engine, did, owner } = stage;
  const { data } = await proposeMemory(ctxAt(engine, await agent(stage, name), days), {
    did,
    ...proposal,
  });
  if (review === undefined) return;
  const { proposalId } = data;
  await reviewProposal(ctxAt(engine, owner, days - 0.4), { did, proposalId, ...review });
}

// A refusal is part of the story: the owner finds it in the log.
async function refusable(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}

async function agent({ engine }: Stage, name: AgentName): Promise<Caller> {
  const did = agentDid(engine.env.PROF_NAMESPACE, agents[name].handle);
  const { publicKey } = await engine.db.key.findFirstOrThrow({ where: { did } });
  return { kind: "agent", did, publicKey };
}

export function ctxAt(engine: Engine, caller: Caller, days: number): Ctx {
  return { ...contextOf(engine, caller), now: daysAgo(engine, days) };
}

export function daysAgo(engine: Engine, days: number): Date {
  return new Date(engine.now().getTime() - days * 24 * 60 * 60_000);
}
