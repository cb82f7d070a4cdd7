import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import {
  giveMemory,
  givePolicy,
  giveProposal,
  giveSession,
  giveToken,
  type Minted,
  mintOwner,
  type Owner,
} from "@/tests/support/personas";
import { giveReviewed } from "./reviewed";
import { giveRunAgent } from "./run-agent";

export interface Person {
  owner: Owner;
  cookie: string;
  /** Everything of theirs that has an id. */
  ids: Record<string, string>;
  token: Minted["client"];
  secret: string;
}

export interface Pair {
  one: Person;
  other: Person;
}

export function pairsOf(people: readonly Person[]): Pair[] {
  return people.flatMap((one) =>
    people.filter((other) => other !== one).map((other) => ({ one, other })),
  );
}

export function idsOf({ owner, ids }: Person): Record<string, string> {
  return { ...ids, did: owner.did };
}

// What they are refused must be there.
export async function newcomer(engine: Engine, agent: Minted): Promise<Person> {
  const secret = newId("canary");
  const owner = await mintOwner(engine, { common: { identity: { displayName: secret } } });
  const { profileId } = owner;
  const input = { profileId, agentDid: agent.did };
  const memory = await giveMemory(engine, profileId, { content: secret });
  const requested = { ...input, scopes: ["prof:*"], requestedAt: engine.now() };
  const revised = { memoryId: memory.id, cause: "edited", createdAt: engine.now() } as const;
  const policy = await givePolicy(engine, profileId, {
    agentPattern: `did:prof:agent:${secret}:*`,
  });
  await givePolicy(engine, profileId, { purposes: [secret] });
  const proposal = await giveProposal(engine, { ...input, content: secret });
  const decided = { status: "rejected", reviewedBy: owner.did, reviewedAt: engine.now() } as const;
  const rejected = await giveProposal(engine, { ...input, ...decided });
  const { id: tokenId, client: token } = await giveToken(engine, { owner, agent, label: secret });
  const ids = { receiptId: newId("rcpt"), requestId: newId("creq") };
  const grantedAt = engine.now();
  const expiresAt = new Date(grantedAt.getTime() + 86_400_000);
  const taken = { ...input, purposeType: secret, grantedAt };
  await engine.db.receipt.create({
    data: { ...taken, id: ids.receiptId, grantedScopes: ["prof:*"], expiresAt },
  });
  await engine.db.consentRequest.create({
    data: { ...requested, id: ids.requestId, purposeType: secret },
  });
  const { category, content, confidence } = memory;
  const data = { ...revised, category, content, confidence };
  const revision = await engine.db.memoryRevision.create({ data });
  const key = await engine.db.key.findFirstOrThrow({ where: { did: owner.did } });
  const session = await giveSession(engine, owner);
  return {
    owner,
    cookie: `gateway-session=${session.token}`,
    ids: {
      ...ids,
      ...(await giveRunAgent(engine, owner)),
      ...{ keyId: key.id, sessionId: session.id },
      ...{ decidedId: rejected.id },
      ...(await giveReviewed(engine, { ...input, userId: owner.userId })),
      agentDid: agent.did,
      memoryId: memory.id,
      seen: memory.updatedAt.toISOString(),
      shownAs: policy.updatedAt.toISOString(),
      ...{ policyId: policy.id, proposalId: proposal.id },
      revisionId: `rev_${revision.id}`,
      tokenId,
    },
    token,
    secret,
  };
}
