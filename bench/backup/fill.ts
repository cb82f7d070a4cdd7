import { Client } from "pg";

// Memories of others with their revisions, and the log of admins: nothing that has to be sealed first.

const profiles = 100;
const batch = 5_000;

const people = [
  `INSERT INTO "User" (id, email, role, state, "createdAt")
   SELECT 'usr_crowd' || n, 'crowd-' || n || '@example.com', 'user', 'active', now() FROM generate_series(1, ${profiles}) n`,
  `INSERT INTO "Profile" (did, "ownerId", "createdAt", "updatedAt")
   SELECT 'did:prof:user:local:crowd-' || n, 'usr_crowd' || n, now(), now() FROM generate_series(1, ${profiles}) n`,
  `CREATE TEMP TABLE crowd AS SELECT id, row_number() OVER () - 1 AS n FROM "Profile" WHERE did LIKE 'did:prof:user:local:crowd-%'`,
];

const more = (from: number) => [
  `WITH made AS (
     INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "createdAt", "updatedAt")
     SELECT 'mem_crowd' || s, c.id, 'prof:interests', (SELECT string_agg(md5(s || '-' || n), ' ') FROM generate_series(1, 20) n),
       0.8, 'owner', now() - s * interval '1 second', now()
     FROM generate_series(${from}, ${from + batch - 1}) s JOIN crowd c ON c.n = s % ${profiles}
     RETURNING *)
   INSERT INTO "MemoryRevision" ("memoryId", category, content, confidence, cause, "createdAt")
   SELECT id, category, content, confidence, 'created', "createdAt" FROM made`,
  `INSERT INTO "AdminEvent" (id, at, "adminId", verb, "requestId", after)
   SELECT 'evt_crowd' || s, now(), 'shell', 'changeSetting', 'req_crowd' || s, jsonb_build_object('value', md5(s::text))
   FROM generate_series(${from}, ${from + batch - 1}) s`,
];

/** Adds rows until PostgreSQL says that the database has so many bytes. Returns how many it has. */
export async function fillTo(databaseUrl: string, bytes: number): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const size = async () => {
    const sql = "SELECT pg_database_size(current_database()) AS size";
    return Number((await client.query<{ size: string }>(sql)).rows[0]?.size);
  };
  try {
    for (const statement of people) await client.query(statement);
    for (let from = 1; (await size()) < bytes; from += batch) {
      for (const statement of more(from)) await client.query(statement);
    }
    await client.query("VACUUM ANALYZE");
    return await size();
  } finally {
    await client.end();
  }
}
