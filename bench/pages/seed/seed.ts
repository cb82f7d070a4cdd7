import { Client } from "pg";
import { events } from "./events";
import { type Crowd, insertCrowd } from "./people";
import { insertRows } from "./rows";
import { agentDids, agents, consents, policies, receipts, tokens } from "./standing";
import { memories, namedValues, proposals, revisions } from "./writing";

// A profile as it would be after years, straight into the database: what the numbers of the dashboard
// are measured on.

export interface Amounts {
  memories: number;
  proposals: number;
  events: number;
}

export interface World {
  profileId: number;
  profileDid: string;
  agents: readonly string[];
  now: Date;
  amounts: Amounts;
}

/** Fills the gateway with people, agents, and what admins did. */
export function seedCrowd(databaseUrl: string, crowd: Crowd): Promise<void> {
  return filling(databaseUrl, (client) => insertCrowd(client, crowd));
}

/** Fills the profile of that DID. */
export function seedProfile(
  databaseUrl: string,
  profileDid: string,
  amounts: Amounts,
): Promise<void> {
  return filling(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: number }>(`SELECT id FROM "Profile" WHERE did = $1`, [
      profileDid,
    ]);
    const [profile] = rows;
    if (profile === undefined) throw new Error(`there is no profile ${profileDid}`);
    const now = new Date();
    const dids = agentDids(amounts);
    const world: World = { profileId: profile.id, profileDid, agents: dids, now, amounts };
    await insertAll(client, world);
  });
}

async function filling(databaseUrl: string, fill: (client: Client) => Promise<void>) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await fill(client);
    await client.query("ANALYZE");
    await untilSealed(client);
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

async function insertAll(client: Client, world: World): Promise<void> {
  await insertRows(client, "Agent", agents(world));
  await insertRows(client, "NamedValue", namedValues(world));
  const proposed = proposals(world);
  const kept = memories(world, proposed);
  await insertRows(client, "Proposal", proposed);
  await insertRows(client, "Memory", kept);
  await insertRows(client, "MemoryRevision", revisions(world, kept));
  await insertRows(client, "ConsentRequest", consents(world));
  await insertRows(client, "Policy", policies(world));
  await insertRows(client, "Receipt", receipts(world));
  await insertRows(client, "ConnectionToken", tokens(world));
  for (const part of events(world)) await insertRows(client, "AccessEvent", part);
}

const sealPatienceMs = 300_000;

// The gateway's own job seals them; measuring meanwhile would measure that.
async function untilSealed(client: Client): Promise<void> {
  const end = Date.now() + sealPatienceMs;
  for (;;) {
    const { rows } = await client.query<{ any: boolean }>(
      `SELECT EXISTS (SELECT FROM "AccessEvent" WHERE hash IS NULL) AS any`,
    );
    if (!rows[0]?.any) return;
    if (Date.now() > end) throw new Error("the gateway did not seal its log in time");
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
