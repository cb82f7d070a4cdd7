import type { PoolClient } from "pg";
import { notFound } from "@/lib/protocol/errors";
import { hashDid } from "../accounts/new-profile";
import type { Ctx } from "../context";

export interface Erased {
  id: number;
  did: string;
}

const eventsAtOnce = 10_000;

/**
 * Part of a transaction that has locked the profile's row. Nothing of it is left but the hash of its DID,
 * and of its log the last seal: whoever exported it can still show that it was the whole.
 */
export async function eraseProfile(
  client: PoolClient,
  { profile: { id, did }, now }: { profile: Erased; now: Ctx["now"] },
): Promise<void> {
  // Waits for everything that is being added to it.
  const { rowCount } = await client.query(`SELECT FROM "Profile" WHERE id = $1 FOR UPDATE`, [id]);
  if (rowCount === 0) throw notFound("profile");
  // Lets the trigger on its log pass.
  await client.query("SELECT set_config('gateway.erasing', $1, true)", [String(id)]);
  await client.query(`INSERT INTO "RetiredDid" ("didHash", "retiredAt") VALUES ($1, $2)`, [
    Buffer.from(hashDid(did)),
    now,
  ]);
  // Memories before proposals: a proposal that goes first has its memory written once more.
  for (const table of ["ConnectionToken", "Receipt", "Policy", "ConsentRequest", "NamedValue"]) {
    await client.query(`DELETE FROM "${table}" WHERE "profileId" = $1`, [id]);
  }
  await client.query(
    `DELETE FROM "MemoryRevision" r USING "Memory" m WHERE m."profileId" = $1 AND r."memoryId" = m.id`,
    [id],
  );
  await client.query(`DELETE FROM "Memory" WHERE "profileId" = $1`, [id]);
  await client.query(`DELETE FROM "Proposal" WHERE "profileId" = $1`, [id]);
  await eraseEvents(client, id);
  // Last, as requests that are under way wait for them.
  for (const table of ["Key", "Nonce", "AgentDay"]) {
    await client.query(`DELETE FROM "${table}" WHERE did = $1`, [did]);
  }
  await client.query(`DELETE FROM "RateWindow" WHERE caller = $1`, [did]);
  await client.query(`DELETE FROM "Profile" WHERE id = $1`, [id]);
}

// In parts: one statement may take ten seconds, and a log may be long.
async function eraseEvents(client: PoolClient, profileId: number): Promise<void> {
  await client.query(`DELETE FROM "AccessEvent" WHERE "profileId" = $1 AND hash IS NULL`, [
    profileId,
  ]);
  const { rows } = await client.query<{ first: string; last: string }>(
    `SELECT coalesce(min(position), 0) AS first, coalesce(max(position), -1) AS last
     FROM "AccessEvent" WHERE "profileId" = $1`,
    [profileId],
  );
  const [{ first, last } = { first: 0, last: -1 }] = rows;
  for (let from = Number(first); from <= Number(last); from += eventsAtOnce) {
    await client.query(
      `DELETE FROM "AccessEvent" WHERE "profileId" = $1 AND position >= $2 AND position < $3`,
      [profileId, from, from + eventsAtOnce],
    );
  }
  await client.query(
    `DELETE FROM "Seal" s WHERE s."profileId" = $1
       AND s.position < (SELECT max(l.position) FROM "Seal" l WHERE l."profileId" = $1)`,
    [profileId],
  );
}
