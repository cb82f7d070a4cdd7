import type { Client } from "pg";
import { daysAgo, insertRows, numberedId, type Row } from "./rows";
import { dice } from "./sentences";
import { agents } from "./standing";

// A gateway as it would be after years, for those who run it: what the numbers of the admin pages are
// measured on. Each user has one profile.

export interface Crowd {
  users: number;
  agents: number;
  /** What admins did. */
  actions: number;
}

const hitsAnAgent = 50;
const daysAnAgent = 30;

export async function insertCrowd(client: Client, crowd: Crowd): Promise<void> {
  const now = new Date();
  const dids = Array.from({ length: crowd.agents }, (_, n) => `did:prof:agent:local:crowd-${n}`);
  const people = users(crowd.users, now);
  await insertRows(client, "User", people);
  await insertRows(client, "Profile", profiles(people));
  await insertRows(client, "Agent", agents({ agents: dids, now }));
  await insertRows(client, "AgentDay", days(dids, now));
  await insertRows(client, "RateHit", hits(dids, now));
  await insertRows(client, "AdminEvent", actions(crowd.actions, { people, dids, now }));
}

const syllables = [
  "al",
  "be",
  "ca",
  "do",
  "en",
  "fi",
  "go",
  "ha",
  "is",
  "jo",
  "ka",
  "lu",
  "mo",
  "ne",
];

function users(count: number, now: Date): Row[] {
  const throws = dice(21);
  return Array.from({ length: count }, (_, number) => {
    const name = Array.from({ length: 3 }, () => throws.one(syllables)).join("");
    return {
      id: numberedId("usr", number),
      email: `${name}.${number}@example.${number % 2 === 0 ? "com" : "org"}`,
      name: `${name} ${throws.one(syllables)}`,
      role: number % 1_000 === 7 ? "admin" : "user",
      state: number % 50 === 9 ? "suspended" : "active",
      createdAt: daysAgo(now, throws.roll() * 1_000),
      lastSeenAt: daysAgo(now, throws.roll() * 30),
    };
  });
}

function profiles(people: Row[]): Row[] {
  return people.map(({ id, createdAt }, number) => ({
    did: `did:prof:user:local:crowd-${number}`,
    ownerId: id,
    profileType: "human",
    version: "1.0",
    state: number % 100 === 3 ? "suspended" : "active",
    common: { preferences: {} },
    createdAt,
    updatedAt: createdAt,
  }));
}

function days(dids: string[], now: Date): Row[] {
  const throws = dice(22);
  return dids.flatMap((did) =>
    Array.from({ length: daysAnAgent }, (_, day) => ({
      did,
      day: daysAgo(now, day).toISOString().slice(0, 10),
      requests: throws.below(2_000),
      denied: throws.below(200),
    })),
  );
}

function hits(dids: string[], now: Date): Row[] {
  const throws = dice(23);
  return dids.flatMap((caller) =>
    Array.from({ length: hitsAnAgent }, (_, number) => ({
      caller,
      class: "profile",
      number,
      // Within the hour for as long as the measuring takes.
      admittedAt: daysAgo(now, (throws.roll() - 1) / 24),
    })),
  );
}

const verbs = ["suspendUser", "resumeUser", "approveAgent", "setCeiling", "changeSetting"];

interface Acting {
  people: Row[];
  dids: string[];
  now: Date;
}

function actions(count: number, { people, dids, now }: Acting): Row[] {
  const throws = dice(24);
  const admins = people.filter(({ role }) => role === "admin").map(({ id }) => id);
  return Array.from({ length: count }, (_, number) => {
    const verb = throws.one(verbs);
    const ofUser = verb.endsWith("User");
    return {
      id: numberedId("evt", number),
      at: daysAgo(now, throws.roll() * 700),
      adminId: throws.one(admins),
      verb,
      subjectId: ofUser ? throws.one(people).id : throws.one(dids),
      before: { state: "active" },
      after: { state: "suspended" },
      requestId: numberedId("req", number),
    };
  });
}
