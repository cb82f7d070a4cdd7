import { Client } from "pg";
import { measured } from "../endpoints/all";
import { databaseIn, startGateway, temporaryFolder } from "../processes";
import { type Bench, middle, type Turn, turn, warmUps } from "../rounds";
import { type Owner, seedWorld } from "../world";

// Years of other people's data beside it: the same requests must not feel them.

const profiles = 10_000;
const bigMemories = 100_000;

type Started = Bench & { stop(): Promise<void> };

/** A new gateway with a database of its own, that many rows of others in it; the rest is as `bench` has it. */
export async function startAmong(rows: number, bench: Bench): Promise<Started> {
  const { folder, remove } = await temporaryFolder();
  const gateway = await startGateway({ DATA_FOLDER: folder });
  const stop = async () => {
    await gateway.stop();
    await remove();
  };
  try {
    const database = await databaseIn(folder);
    const world = await seedWorld(database.url);
    if (rows > 0) await grow(database.url, rows);
    return { ...bench, folder, gateway, database, world, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface Growth {
  rows: number;
  line: string;
  /** Requests a second of the gateway without them, and of the one among them. */
  alone: number;
  among: number;
}

interface Growing {
  alone: Bench;
  among: Bench;
  rows: number;
  names: readonly string[];
}

/** The two take turns, so that whatever else the machine does meets both. */
export async function measureGrowth({ alone, among, rows, names }: Growing): Promise<Growth[]> {
  const growth: Growth[] = [];
  for (const endpoint of measured.filter(({ name }) => names.includes(name))) {
    const [without, beside]: [Turn[], Turn[]] = [[], []];
    for (let round = -warmUps; round < alone.options.rounds; round++) {
      const first = await turn(alone, endpoint, alone.gateway);
      const second = await turn(among, endpoint, among.gateway);
      if (round < 0) continue;
      without.push(first);
      beside.push(second);
    }
    growth.push({
      rows,
      line: endpoint.line,
      alone: middle(without).perSecond,
      among: middle(beside).perSecond,
    });
  }
  return growth;
}

async function grow(databaseUrl: string, rows: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements(rows)) await client.query(statement);
  } finally {
    await client.end();
  }
}

const common = `'{"preferences": {"language": "en"}}'`;

function statements(rows: number): string[] {
  return [
    `INSERT INTO "User" (id, email, role, state, "createdAt")
     SELECT 'usr_crowd' || n, 'crowd-' || n || '@example.com', 'user', 'active', now()
     FROM generate_series(1, ${profiles}) n`,
    `INSERT INTO "Profile" (did, "ownerId", common, "createdAt", "updatedAt")
     SELECT 'did:prof:user:local:crowd-' || n, 'usr_crowd' || n, ${common}, now(), now()
     FROM generate_series(1, ${profiles}) n`,
    `CREATE TEMP TABLE crowd AS SELECT id, row_number() OVER () - 1 AS n FROM "Profile" WHERE did LIKE 'did:prof:user:local:crowd-%'`,
    `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "createdAt", "updatedAt")
     SELECT 'mem_crowd' || s, c.id, 'prof:interests', 'Took note of thing ' || s || ' on the way to ' || md5(s::text) || '.', 0.8, 'owner',
       now() - s * interval '1 second', now()
     FROM generate_series(1, ${rows}) s JOIN crowd c ON c.n = s % ${profiles}`,
    `INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, "requestId", position, hash)
     SELECT 'evt_crowd' || s, c.id, now() - s * interval '1 second', 'agent', 'did:prof:agent:local:load-' || s % 64, 'getProfile', 'ok',
       'req_crowd' || s, s / ${profiles}, sha256(s::text::bytea)
     FROM generate_series(1, ${rows}) s JOIN crowd c ON c.n = s % ${profiles}`,
    `INSERT INTO "Nonce" (did, nonce, "expiresAt") SELECT ${nonces(rows)}`,
    // Those alone: of a table that was seen to be empty a plan is kept that reads all of it.
    `VACUUM ANALYZE "User", "Profile", "Memory", "AccessEvent", "Nonce"`,
  ];
}

const nonces = (rows: number) =>
  `'did:prof:agent:local:load-' || s % 64, 'crowd-nonce-' || s, now() + interval '1 hour' FROM generate_series(1, ${rows}) s`;

/** The first page of somebody who has very much. */
export async function measureBigProfile(bench: Bench, owner: Owner): Promise<Turn> {
  const client = new Client({ connectionString: bench.database.url });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "createdAt", "updatedAt")
       SELECT 'mem_big' || s, $1, 'prof:interests', 'Remembers thing ' || s || '.', 0.8, 'owner', now() - s * interval '1 minute', now()
       FROM generate_series(1, ${bigMemories}) s`,
      [owner.profileId],
    );
    await client.query(`VACUUM ANALYZE "Memory"`);
  } finally {
    await client.end();
  }
  const target = `/prof/v1/profile/${owner.did}/memories?limit=50`;
  const [caller] = bench.world.agents;
  if (caller === undefined) throw new Error("nobody calls");
  const asking = { caller, method: "GET" as const, target };
  const big = {
    name: "big",
    line: "GET memories of 100,000",
    target: 0,
    askings: async (count: number) => Array.from({ length: count }, () => asking),
  };
  const one = { ...bench, options: { ...bench.options, connections: 1 } };
  await turn(one, big, bench.gateway);
  return turn(one, big, bench.gateway);
}
