import { createHash } from "node:crypto";
import { daysAgo, numberedId, type Row } from "./rows";
import type { Amounts, World } from "./seed";
import { categories, dice, sentence } from "./sentences";

// Who there is, and what they may do.

// One agent may have a hundred proposals waiting; these have eighty at most.
const proposalsEach = 80;
const agentsLeast = 120;
const names = ["Iris", "Atlas", "Nova", "Juno", "Vega", "Orion", "Lyra", "Pax", "Remy", "Sol"];

export function agentDids({ proposals }: Amounts): string[] {
  const count = Math.max(agentsLeast, Math.ceil(proposals / proposalsEach));
  return Array.from({ length: count }, (_, number) => `did:prof:agent:local:bench-${number}`);
}

export function agents({ agents: dids, now }: Pick<World, "agents" | "now">): Row[] {
  const throws = dice(6);
  return dids.map((did, number) => ({
    did,
    name: `${throws.one(names)} ${number}`,
    description: sentence(throws).slice(0, 400),
    operator: number % 3 === 0 ? null : `${throws.one(names)} Works`,
    state: number % 40 === 9 ? "suspended" : "active",
    verified: number % 2 === 0,
    ceiling: ["prof:*"],
    limits: {},
    origin: "itself",
    createdAt: daysAgo(now, 200),
    updatedAt: daysAgo(now, 200),
    lastSeenAt: daysAgo(now, throws.roll() * 30),
  }));
}

const purposes = ["personalization", "recommendation", "service_delivery", "research", "support"];

export function consents({ profileId, agents: dids, now }: World): Row[] {
  const throws = dice(7);
  return Array.from({ length: 150 }, (_, number) => {
    const { one, roll } = throws;
    const status = number < 40 ? "pending" : one(["granted", "denied"]);
    const scopes = [one(categories), one(categories)].filter((s, at, all) => all.indexOf(s) === at);
    return {
      id: numberedId("creq", number),
      profileId,
      agentDid: dids[number % dids.length],
      scopes,
      purposeType: purposes[number % purposes.length],
      purposeDescription: sentence(throws).slice(0, 500),
      legalBasis: one(["consent", null]),
      retention: one(["session_only", null]),
      status,
      grantedScopes: status === "granted" ? scopes.slice(0, 1) : [],
      timesAsked: 1 + throws.below(4),
      requestedAt: daysAgo(now, 1 + roll() * 60),
      decidedAt: status === "pending" ? null : now,
    };
  });
}

export function policies({ profileId, agents: dids, now }: World): Row[] {
  const throws = dice(8);
  return Array.from({ length: 100 }, (_, number) => ({
    id: numberedId("pol", number),
    profileId,
    agentPattern: number < 15 ? "did:prof:agent:local:*" : dids[number % dids.length],
    verifiedOnly: number % 5 === 0,
    allow: number % 7 === 0 ? [] : [throws.one(categories), throws.one(categories)],
    deny: number % 7 === 0 ? [throws.one(categories)] : [],
    permissions: number % 3 === 0 ? ["read", "propose"] : ["read"],
    purposes: number % 4 === 0 ? [throws.one(purposes)] : [],
    enabled: number % 20 !== 3,
    expiresAt: number % 10 === 1 ? daysAgo(now, -20) : null,
    origin: number % 2 === 0 ? "owner" : "consent",
    createdAt: daysAgo(now, 100 - number),
    updatedAt: daysAgo(now, 100 - number),
  }));
}

export function receipts({ profileId, agents: dids, now }: World): Row[] {
  const throws = dice(9);
  return Array.from({ length: 2_000 }, (_, number) => {
    const grantedAt = daysAgo(now, number < 30 ? throws.roll() : 1 + throws.roll() * 200);
    return {
      id: numberedId("rcpt", number),
      profileId,
      agentDid: throws.one(dids),
      grantedScopes: [throws.one(categories)],
      deniedScopes: [],
      purposeType: throws.one(purposes),
      grantedAt,
      expiresAt: daysAgo(grantedAt, -1),
      revokedAt: number % 9 === 0 ? now : null,
    };
  });
}

export function tokens({ profileId, agents: dids, now }: World): Row[] {
  const throws = dice(10);
  return Array.from({ length: 60 }, (_, number) => {
    const id = numberedId("tok", number);
    return {
      id,
      tokenHash: `\\x${createHash("sha256").update(id).digest("hex")}`,
      lastFour: `${1_000 + number}`,
      profileId,
      agentDid: dids[number % dids.length],
      label: sentence(throws).slice(0, 60),
      scopes: [throws.one(categories)],
      permissions: ["read"],
      createdAt: daysAgo(now, 50),
      expiresAt: daysAgo(now, number % 4 === 0 ? 5 : -40),
      lastUsedAt: number % 3 === 0 ? daysAgo(now, throws.roll() * 20) : null,
      revokedAt: number % 11 === 0 ? now : null,
    };
  });
}
