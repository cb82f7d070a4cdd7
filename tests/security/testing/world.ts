import { hashPassword } from "@/lib/auth/password";
import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { signedInCookie } from "@/tests/support/dashboard-api";
import {
  giveKey,
  giveMemory,
  giveNamedValue,
  givePolicy,
  giveProposal,
  giveSession,
  giveToken,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
} from "@/tests/support/personas";
import { giveRunAgent } from "./run-agent";

/** An owner who has one of everything that a write is about, so that an honest write succeeds. */
export interface World {
  owner: Owner;
  agent: Minted;
  cookie: string;
  token: Minted["client"];
  /** Who gets what is given away. */
  heir: { userId: string; email: string };
  /** What stands in a path or a body, by its name there. */
  ids: Record<string, string>;
  /** When what is to be changed was changed last. */
  memoryAt: string;
  policyAt: string;
}

// Of the password in the examples.
const passwordHash = await hashPassword("a quiet lamp over the harbour");

export async function mintWorld(engine: Engine): Promise<World> {
  const owner = await mintOwner(engine, {
    common: { identity: { displayName: "Alice" }, preferences: { colour: "Blue" } },
  });
  const { userId, did, profileId } = owner;
  await engine.db.user.update({ where: { id: userId }, data: { passwordHash } });
  const agent = await mintAgent(engine);
  const waiting = await mintAgent(engine, { state: "pending" });
  const heir = await mintOwner(engine);
  const input = { profileId, agentDid: agent.did };
  const purposeType = "research";
  const policy = await givePolicy(engine, profileId, { permissions: ["read", "propose"] });
  const memory = await giveMemory(engine, profileId);
  const { category, confidence } = memory;
  const requested = { ...input, scopes: ["prof:health"], purposeType, requestedAt: engine.now() };
  const revised = { memoryId: memory.id, cause: "edited", createdAt: engine.now() } as const;
  const revision = await engine.db.memoryRevision.create({
    data: { ...revised, category, content: "Liked tea.", confidence },
  });
  const proposal = await giveProposal(engine, { ...input, content: "Likes green tea." });
  const issued = await giveToken(engine, { owner, agent, permissions: ["read", "propose"] });
  const [requestId, receiptId] = [newId("creq"), newId("rcpt")];
  await engine.db.consentRequest.create({ data: { ...requested, id: requestId } });
  const grantedAt = engine.now();
  const expiresAt = new Date(grantedAt.getTime() + 86_400_000);
  await engine.db.receipt.create({
    data: { ...input, id: receiptId, purposeType, grantedScopes: ["prof:*"], grantedAt, expiresAt },
  });
  await giveKey(engine, did, 2);
  const named = { category: "prof:interests", name: "colour" };
  await giveNamedValue(engine, profileId, { ...named, value: "Blue" });
  const { id: sessionId } = await giveSession(engine, { userId });
  const [ownKey, agentKey] = await Promise.all(
    [did, agent.did].map((holder) => engine.db.key.findFirstOrThrow({ where: { did: holder } })),
  );
  return {
    ...{ owner, agent, token: issued.client, cookie: await signedInCookie(engine, owner) },
    heir: { userId: heir.userId, email: `${heir.userId}@alice.test`.toLowerCase() },
    ids: {
      ...{ did, userId, agentDid: agent.did, waitingDid: waiting.did, name: "SIGN_UP" },
      ...{ requestId, receiptId, tokenId: issued.id, proposalId: proposal.id },
      ...{ memoryId: memory.id, policyId: policy.id, revisionId: `rev_${revision.id}` },
      ...(await giveRunAgent(engine, owner)),
      ...{ ownKeyId: ownKey?.id ?? "", keyId: agentKey?.id ?? "", sessionId },
    },
    memoryAt: memory.updatedAt.toISOString(),
    policyAt: policy.updatedAt.toISOString(),
  };
}
