import type { Pool } from "pg";
import { changesBy } from "./digest";
import type { World } from "./world";

/** Members that are for the gateway alone to choose: what is the victim's, or none of an honest row's. */
export function stolenFrom({ owner, agent, ids }: World): Record<string, unknown> {
  const { profileId, userId, did } = owner;
  const [early, late] = ["1999-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"];
  return {
    ...{ id: "stolen", profileId, did, ownerId: userId, userId, agentDid: agent.did },
    ...{ adminId: userId, registeredBy: userId, createdBy: userId, byUserId: userId },
    ...{ reviewedBy: did, actor: "system", actorId: did, requestId: ids.requestId },
    ...{ memoryId: ids.memoryId, proposalId: ids.proposalId, policyId: ids.policyId },
    ...{ receiptId: ids.receiptId, tokenId: ids.tokenId, keyId: ids.keyId, subjectId: "stolen" },
    ...{ role: "admin", state: "suspended", status: "approved", verified: true, enabled: false },
    ...{ origin: "consent", source: "imported", outcome: "stolen", cause: "stolen", slot: 5 },
    ...{ email: "stolen@example.com", name: "Stolen", label: "Stolen", passwordHash: "stolen" },
    ...{ tokenHash: "stolen", lastFour: "LOOT", publicKey: "stolen", contentHash: "stolen" },
    ...{ ceiling: ["prof:stolen"], grantedScopes: ["prof:stolen"], limits: { profile: 987_654 } },
    ...{ timesAsked: 987_654, position: 987_654, stamp: "stolen", version: "98.76" },
    ...{ createdAt: early, proposedAt: early, grantedAt: early, reviewedAt: early },
    ...{ expiresAt: late, updatedAt: late, archivedAt: late, deletedAt: late, revokedAt: late },
    ...{ seen: late, constructor: "stolen", toString: "stolen" },
  };
}

/** What was answered, and which rows went and came; without what differs from one time to the next. */
export interface Deed {
  answer: string;
  changes: string[];
}

/** The victim's ids stay to be seen, as does every member that was stolen. */
export async function deedOf(
  pool: Pool,
  victim: World,
  act: () => Promise<unknown>,
): Promise<Deed> {
  const plain = plainFor(victim);
  let answer: unknown;
  const { went, came } = await changesBy(pool, async () => {
    answer = await act();
  });
  const changes = [
    ...went.map((row) => `- ${plain(row)}`),
    ...came.map((row) => `+ ${plain(row)}`),
  ];
  return { answer: plain(JSON.stringify(answer)), changes: changes.sort() };
}

function plainFor({ owner, agent, ids }: World): (text: string) => string {
  const theirs = [...new Set([...Object.values(ids), owner.did, owner.userId, agent.did])];
  const whose = (number: string) => (Number(number) === owner.profileId ? "VICTIM" : "n");
  return (text) =>
    theirs
      .filter((id) => id.length > 20)
      .reduce((all, id) => all.replaceAll(id, "VICTIM"), text)
      .replace(/\b[a-z]+_[0-9A-Za-z]{20,}/g, "id")
      .replace(/\brev_\d+/g, "id")
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uuid")
      .replace(/(?<=\/link\/)\w{43}/g, "secret")
      .replace(/\\\\x[0-9a-f]+/g, "bytes")
      .replace(/\$argon2id\$[^"]+/g, "hash")
      .replace(/sha256:[0-9a-f]{64}/g, "hash")
      .replace(/z6Mk\w{44}/g, "key")
      .replace(/(?<="lastFour": ")(?!LOOT)\w{4}/g, "four")
      .replace(/(?<=^Gone .*"id": )\d+/, "n")
      .replace(/(?<="(?:profileId|id)": |profile:)\d+/g, whose)
      .replace(/(?<="seq": )\d+/g, "n")
      .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, "when");
}
