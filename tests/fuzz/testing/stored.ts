import type { Pool } from "pg";
import type { Acknowledged } from "../acknowledged";

export interface Rows {
  proposals: Set<string>;
  decided: Set<string>;
  memories: Set<string>;
  receipts: Set<string>;
  consentRequests: Set<string>;
  purposes: Map<string, string>;
  nonces: number;
  /** Of the tables that no request of this kind may change. A first rejection makes the key of a profile's. */
  others: string;
}

export async function rowsOf(pool: Pool): Promise<Rows> {
  const ids = async (from: string) => {
    const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${from}`);
    return new Set(rows.map(({ id }) => id));
  };
  const { rows } = await pool.query<{ nonces: number; others: string }>(
    `SELECT (SELECT count(*)::int FROM "Nonce") AS nonces, concat_ws(' ',
       (SELECT md5(string_agg(t::text, '' ORDER BY did)) FROM "Agent" t),
       (SELECT md5(string_agg(t::text, '' ORDER BY id)) FROM "Key" t),
       (SELECT md5(string_agg(t::text, '' ORDER BY id)) FROM "User" t),
       (SELECT md5(string_agg((to_jsonb(t) - '{revision,rejectionKey}'::text[])::text, '' ORDER BY id)) FROM "Profile" t),
       (SELECT md5(string_agg(t::text, '' ORDER BY id)) FROM "Policy" t),
       (SELECT md5(string_agg(t::text, '' ORDER BY "profileId", category, name)) FROM "NamedValue" t),
       (SELECT count(*) FROM "ConnectionToken"), (SELECT count(*) FROM "Session"),
       (SELECT count(*) FROM "AdminEvent"), (SELECT count(*) FROM "Setting")) AS others`,
  );
  const input = await pool.query<{ id: string; purposeType: string }>(
    `SELECT id, "purposeType" FROM "ConsentRequest"`,
  );
  const purposes = new Map(input.rows.map(({ id, purposeType }) => [id, purposeType]));
  const [{ nonces, others } = { nonces: 0, others: "" }] = rows;
  return {
    proposals: await ids(`"Proposal"`),
    decided: await ids(`"Proposal" WHERE status <> 'pending'`),
    memories: await ids(`"Memory"`),
    receipts: await ids(`"Receipt"`),
    consentRequests: new Set(purposes.keys()),
    purposes,
    nonces,
    others,
  };
}

const kinds = ["proposals", "decided", "memories", "receipts", "consentRequests"] as const;

export function unacknowledged(before: Rows, after: Rows, acknowledged: Acknowledged): string[] {
  const news = kinds.flatMap((kind) =>
    [...after[kind]]
      .filter((id) => !before[kind].has(id) && !acknowledged[kind].has(id))
      .filter((id) => !acknowledged.purposes.has(after.purposes.get(id) ?? ""))
      .map((id) => `${id} is among the ${kind}, and no answer said so`),
  );
  const lost = kinds.flatMap((kind) =>
    [...acknowledged[kind]].filter((id) => !after[kind].has(id)).map((id) => `${id} is not stored`),
  );
  const faults = [...news, ...lost];
  if (after.others !== before.others) faults.push("a table changed that none of this may change");
  if (after.nonces - before.nonces > acknowledged.admitted) {
    faults.push(
      `${after.nonces - before.nonces} nonces of ${acknowledged.admitted} admitted requests`,
    );
  }
  return faults;
}
