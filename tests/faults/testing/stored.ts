import { setTimeout as delay } from "node:timers/promises";
import { openDb, openPool } from "@/lib/engine/db";
import { verifyLog } from "@/lib/services/audit/verify-log";
import type { Stored, StoredMemory, StoredProposal } from "../checks/evidence";

const sealedMsMax = 30_000;

/** What the database holds in the end, and whether each log is as it was sealed. */
export async function readStored(databaseUrl: string): Promise<Stored> {
  // What breaks while it idles shows in the next statement.
  const pool = openPool({ url: databaseUrl, poolMax: 1, onIdleError: () => undefined });
  const db = openDb(pool);
  try {
    const { rows: proposals } = await pool.query<StoredProposal>(
      `SELECT o.id, p.did AS profile, o."agentDid" AS agent, o.content, o.category, o.status::text
       FROM "Proposal" o JOIN "Profile" p ON p.id = o."profileId"`,
    );
    const { rows: memories } = await pool.query<StoredMemory>(
      `SELECT id, "proposalId", content FROM "Memory" WHERE "proposalId" IS NOT NULL`,
    );
    const { rows: profiles } = await pool.query<{ id: number; did: string }>(
      `SELECT id, did FROM "Profile" ORDER BY id`,
    );
    const logs = [];
    for (const { id, did } of profiles) {
      logs.push({ profile: did, ...(await whenSealed(() => verifyLog({ db, pool }, id))) });
    }
    return { proposals, memories, logs };
  } finally {
    await db.$disconnect();
    await pool.end();
  }
}

/** The gateways seal every two seconds; what they have not got to yet is waited for. */
async function whenSealed<T extends { unsealed: number }>(look: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + sealedMsMax;
  for (;;) {
    const seen = await look();
    if (seen.unsealed === 0 || Date.now() > deadline) return seen;
    await delay(500);
  }
}
