import type { Client } from "pg";
import { BackupRefused } from "@/lib/engine/backup/refused";
import {
  isUnconfirmed,
  type Queryable,
  type RestoreState,
  readState,
} from "@/lib/engine/backup/restore-state";

// A restore writes a database of its own and swaps names. Names and a comment say how far it got: whatever ends it,
// the next start knows what to do. All statements run on a connection to another database, by a role that may.

/** Starts the gateway on a database whose restore is not confirmed: to see whether it works. */
export const unconfirmedFlag = "--unconfirmed";

const keptMs = 24 * 60 * 60_000;
const endMsMax = 5_000;
/** The longest name of a database that leaves room for our endings. */
export const nameLengthMax = 36;

export function restoringName(live: string, at: Date): string {
  return `${live}_restoring_${stampOf(at)}`;
}

export function beforeName(live: string, at: Date): string {
  return `${live}_before_${stampOf(at)}`;
}

/** Creates an empty database like the live one. */
export async function createLike(
  admin: Client,
  { live, name, owner }: { live: string; name: string; owner: string },
): Promise<void> {
  const { rows } = await admin.query<{ sql: string }>(
    `SELECT format('CREATE DATABASE %I OWNER %I TEMPLATE template0 ENCODING %L LC_COLLATE %L LC_CTYPE %L', $2::text, $3::text,
         pg_encoding_to_char(d.encoding), d.datcollate, d.datctype)
       || CASE j->>'datlocprovider'
         WHEN 'i' THEN format(' LOCALE_PROVIDER icu ICU_LOCALE %L', coalesce(j->>'datlocale', j->>'daticulocale'))
         WHEN 'b' THEN format(' LOCALE_PROVIDER builtin BUILTIN_LOCALE %L', j->>'datlocale')
         ELSE '' END AS sql
     FROM pg_database d, to_jsonb(d) j WHERE d.datname = $1`,
    [live, name, owner],
  );
  await admin.query(rows[0]?.sql ?? "");
}

/** Puts `next` in the place of `live`, which gets the name `before`: both or neither. */
export async function swapDatabases(
  admin: Client,
  { live, next, before }: { live: string; next: string; before: string },
): Promise<void> {
  await exchange(admin, { live, next, aside: before, state: { before, confirmed: false } });
}

/** Says that a restore in one database is not confirmed yet, in its transaction. */
export async function markInPlace(
  client: Client,
  live: string,
  restorePoint: string | null,
): Promise<void> {
  await writeState(client, live, { before: null, confirmed: false, restorePoint });
}

export async function confirmRestore(admin: Client, live: string): Promise<void> {
  const state = await readState(admin, live);
  if (state !== null) await writeState(admin, live, { ...state, confirmed: true });
}

async function writeState(client: Client, live: string, state: RestoreState): Promise<void> {
  const comment = client.escapeLiteral(JSON.stringify(state));
  await client.query(`COMMENT ON DATABASE ${client.escapeIdentifier(live)} IS ${comment}`);
}

/** Undoes a swap that was not confirmed; says whether there was one. */
export async function undoSwap(admin: Client, live: string, at: Date): Promise<boolean> {
  const state = await readState(admin, live);
  if (state === null || state.confirmed || state.before === null) return false;
  const aside = restoringName(live, at);
  await exchange(admin, { live, next: state.before, aside, state: null });
  await dropDatabase(admin, aside);
  return true;
}

/** Ends what an interrupted restore left, and drops what was replaced a day ago; says whether a swap was undone. */
export async function tidyDatabases(admin: Client, live: string, at: Date): Promise<boolean> {
  await allowConnections(admin, live, true);
  const isUndone = await undoSwap(admin, live, at);
  for (const { name, kind } of await listSiblings(admin, live)) {
    if (kind === "restoring") await dropDatabase(admin, name);
  }
  await dropReplaced(admin, live, at);
  return isUndone;
}

/** Drops what a restore replaced a day ago. The owner may, on a connection to the live database as well. */
export async function dropReplaced(client: Client, live: string, at: Date): Promise<void> {
  for (const { name, kind, stamp } of await listSiblings(client, live)) {
    const isOld = at.getTime() - timeOf(stamp) > keptMs;
    if (kind === "before" && isOld) await dropDatabase(client, name);
  }
}

async function listSiblings(client: Client, live: string) {
  const { rows } = await client.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1 || '_')",
    [live],
  );
  return rows.flatMap(({ name }) => {
    const [, kind, stamp = ""] =
      /^_(restoring|before)_(\d{8}t\d{6}z)$/.exec(name.slice(live.length)) ?? [];
    return kind === undefined ? [] : [{ name, kind, stamp }];
  });
}

/** Refuses to start on what an interrupted restore left in place. */
export async function refuseUnconfirmed(client: Queryable): Promise<void> {
  if (process.argv.includes(unconfirmedFlag) || !(await isUnconfirmed(client))) return;
  throw new BackupRefused(
    "A restore of this database was interrupted: run npm run restore again, with the same file.",
  );
}

// FORCE would need to be a superuser where autovacuum is at work.
export async function dropDatabase(admin: Client, name: string): Promise<void> {
  await allowConnections(admin, name, false);
  await endConnections(admin, name);
  await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(name)}`);
}

interface Exchange {
  live: string;
  next: string;
  aside: string;
  state: RestoreState | null;
}

async function exchange(admin: Client, { live, next, aside, state }: Exchange): Promise<void> {
  const [now, then, old] = [live, next, aside].map((name) => admin.escapeIdentifier(name));
  try {
    for (const name of [live, next]) {
      await allowConnections(admin, name, false);
      await endConnections(admin, name);
    }
    await admin.query("BEGIN");
    await admin.query(`ALTER DATABASE ${now} RENAME TO ${old}`);
    await admin.query(`ALTER DATABASE ${then} RENAME TO ${now}`);
    if (state !== null) await writeState(admin, live, state);
    await admin.query("COMMIT");
  } catch (cause) {
    await admin.query("ROLLBACK");
    if (!(cause instanceof Error && "code" in cause && cause.code === "55006")) throw cause;
    throw new BackupRefused(
      `Another program is connected to the database ${live}: end it, and restore again.`,
      { cause },
    );
  } finally {
    for (const name of [live, next, aside]) await allowConnections(admin, name, true);
  }
}

export async function allowConnections(
  admin: Client,
  name: string,
  isAllowed: boolean,
): Promise<void> {
  const { rowCount } = await admin.query(
    "SELECT FROM pg_database WHERE datname = $1 AND datallowconn <> $2",
    [name, isAllowed],
  );
  if (rowCount === 0) return;
  await admin.query(
    `ALTER DATABASE ${admin.escapeIdentifier(name)} ALLOW_CONNECTIONS ${isAllowed}`,
  );
}

async function endConnections(admin: Client, name: string): Promise<void> {
  await admin.query(
    `SELECT pg_terminate_backend(pid, ${endMsMax}) FROM pg_stat_activity
     WHERE datname = $1 AND pid <> pg_backend_pid() AND backend_type = 'client backend'
       AND pg_has_role(usename, 'MEMBER')`,
    [name],
  );
}

function stampOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").toLowerCase()}z`;
}

function timeOf(stamp: string): number {
  return Date.parse(
    stamp.replace(/^(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)z$/, "$1-$2-$3T$4:$5:$6Z"),
  );
}
