import type { Pool } from "pg";

// Years of use, straight into the database: one owner with many memories, proposals and events, and many
// other users and agents for the admins' lists.

export const grown = { memories: 10_000, proposals: 10_000, events: 100_000, users: 10_000 };
const agents = 1_000;
const pick = (words: readonly string[], step: number) =>
  `(ARRAY['${words.join("','")}'])[1 + (n * ${step} / 7) % ${words.length}]`;
const id = (prefix: string) => `'${prefix}_grown' || lpad(n::text, 17, '0')`;
const agentDid = (n: string) => `'did:prof:agent:local:grown-' || ${n}`;
const ago = (unit: string) => `now() - n * interval '${unit}'`;

// Words that come again in other sentences, so that a search has as much to look through as in life.
const who = ["She", "Her sister", "The neighbour", "A colleague from the harbour", "Her mother"];
const does = ["prefers", "avoids", "often speaks of", "saves money for", "reads a lot about"];
const which = ["quiet", "early", "second-hand", "northern", "walled", "wooden", "long-distance"];
const what = ["trains", "gardens", "fig trees", "fado records", "ferries", "bookshops", "bicycles"];
const where = ["in Galicia", "near the harbour", "by the canal in Ghent", "around Kyoto"];
const sentence = `concat_ws(' ', ${pick(who, 7)}, ${pick(does, 11)}, ${pick(which, 13)}, ${pick(what, 17)},
  ${pick(where, 19)}, 'as of note', n)`;
const category = pick(
  ["prof:preferences", "prof:preferences.food", "prof:interests", "prof:episodic", "prof:health"],
  23,
);

/** Fills the profile, and the gateway around it. Events are sealed already: no job works on them. */
export async function growAround(
  pool: Pool,
  { profileId, did }: { profileId: number; did: string },
): Promise<void> {
  for (const statement of statements(profileId, did)) await pool.query(statement);
}

function statements(profileId: number, did: string): string[] {
  const series = (count: number) => `FROM generate_series(1, ${count}) n`;
  return [
    `INSERT INTO "User" (id, email, role, state, "createdAt")
     SELECT ${id("usr")}, 'crowd-' || n || '@example.com', 'user', 'active', now() ${series(grown.users)}`,
    `INSERT INTO "Profile" (did, "ownerId", common, "createdAt", "updatedAt")
     SELECT 'did:prof:user:local:grown-' || n, ${id("usr")}, '{}', now(), now() ${series(grown.users)}`,
    `INSERT INTO "Agent" (did, name, description, state, verified, origin, "createdAt", "updatedAt")
     SELECT ${agentDid("n")}, 'Iris ' || n, ${sentence}, 'active', n % 2 = 0, 'itself', now(), now() ${series(agents)}`,
    `INSERT INTO "AdminEvent" (id, at, "adminId", verb, "subjectId", "requestId")
     SELECT ${id("evt")}, ${ago("1 hour")}, 'usr_grown1', 'suspendUser', ${id("usr")}, ${id("req")}
     ${series(grown.users)}`,
    `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "createdAt", "updatedAt")
     SELECT ${id("mem")}, ${profileId}, ${category}, ${sentence}, 0.8, 'owner', ${ago("1 hour")}, ${ago("1 hour")}
     ${series(grown.memories)}`,
    `INSERT INTO "MemoryRevision" ("memoryId", category, content, confidence, cause, "createdAt")
     SELECT ${id("mem")}, ${category}, ${sentence}, 0.5, 'edited', now() ${series(grown.memories / 4)}`,
    `INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence, status,
       "proposedAt", "expiresAt", "reviewedAt", "reviewedBy")
     SELECT ${id("prop")}, ${profileId}, ${agentDid("n % 200")}, ${sentence}, sha256(n::text::bytea), ${category}, 0.7,
       CASE WHEN n % 10 = 0 THEN 'rejected' ELSE 'pending' END::"ProposalStatus", ${ago("10 seconds")},
       now() + interval '5 days', CASE WHEN n % 10 = 0 THEN now() END, CASE WHEN n % 10 = 0 THEN '${did}' END
     ${series(grown.proposals)}`,
    `INSERT INTO "Policy" (id, "profileId", "agentPattern", allow, permissions, origin, "createdAt", "updatedAt")
     SELECT ${id("pol")}, ${profileId}, ${agentDid("n")}, ARRAY[${category}], '{read}', 'owner', now(), now() ${series(100)}`,
    `INSERT INTO "Receipt" (id, "profileId", "agentDid", "grantedScopes", "purposeType", "grantedAt", "expiresAt")
     SELECT ${id("rcpt")}, ${profileId}, ${agentDid("n % 1000")}, ARRAY[${category}], 'research', ${ago("1 hour")},
       ${ago("1 hour")} + interval '1 day' ${series(2_000)}`,
    `INSERT INTO "ConsentRequest" (id, "profileId", "agentDid", scopes, "purposeType", "requestedAt")
     SELECT ${id("creq")}, ${profileId}, ${agentDid("n")}, '{prof:preferences,prof:health}', 'research',
       ${ago("1 hour")} ${series(30)}`,
    `INSERT INTO "ConnectionToken" (id, "profileId", "agentDid", "tokenHash", "lastFour", label, scopes, permissions,
       "createdAt", "expiresAt")
     SELECT ${id("tok")}, ${profileId}, ${agentDid("n")}, sha256(n::text::bytea), 'abcd', 'Tablet ' || n,
       ARRAY[${category}], '{read}', ${ago("1 hour")}, now() + interval '5 days' ${series(100)}`,
    `INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, asked, "requestId",
       position, hash)
     SELECT ${id("evt")}, ${profileId}, ${ago("1 minute")}, 'agent', ${agentDid("n % 40")}, 'getProfile',
       CASE WHEN n % 7 = 0 THEN 'PROF004' ELSE 'ok' END, ARRAY[${category}], ${id("req")}, n, sha256(n::text::bytea)
     ${series(grown.events)}`,
    "ANALYZE",
  ];
}
