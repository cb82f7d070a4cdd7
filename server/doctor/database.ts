import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { refuseOthersTables } from "@/lib/engine/backup/catalog";
import type { Engine } from "@/lib/engine/engine";
import { checkReadiness } from "@/lib/services/health";
import { deliveriesChannel } from "@/lib/services/webhooks/enqueue";
import { withClient } from "../restore/client";
import { refuseUnconfirmed } from "../restore/databases";
import { type Check, note, ok, problem } from "./check";

// The database: its version, what the gateway's role may do there, and whether the schema is the one of this version.

const versionMin = 150_000;

/** Of a database that answers. */
export function databaseChecks(url: string, isEmbedded: boolean): Check[] {
  const on = (name: string, run: (client: Client) => ReturnType<Check["run"]>): Check => ({
    name,
    run: () => withClient(url, run),
  });
  return [
    on("PostgreSQL", checkVersion),
    on("Role", (client) => checkRole(client, isEmbedded)),
    on("Extensions", checkExtensions),
    on("Restores", checkRestores),
    on("Notices", checkNotices),
  ];
}

async function checkVersion(client: Client) {
  const { rows } = await client.query<{ number: number; version: string }>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  const [{ number, version } = { number: 0, version: "" }] = rows;
  return number >= versionMin
    ? ok(version)
    : problem(`${version} is too old: install 15 or newer.`);
}

async function checkRole(client: Client, isEmbedded: boolean) {
  const { rows } = await client.query<{ owns: boolean; creates: boolean; name: string }>(
    `SELECT pg_has_role(d.datdba, 'MEMBER') AND coalesce(pg_has_role(n.nspowner, 'MEMBER'), true) AS owns,
       r.rolcreatedb OR r.rolsuper AS creates, r.rolname AS name
     FROM pg_roles r JOIN pg_database d ON d.datname = current_database()
     LEFT JOIN pg_namespace n ON n.nspname = 'public' WHERE r.rolname = current_user`,
  );
  const [{ owns, creates, name } = { owns: false, creates: false, name: "" }] = rows;
  const database = client.database ?? "";
  if (!owns) {
    return problem(
      `${name} does not own the database: ALTER DATABASE "${database}" OWNER TO "${name}", and its schema public.`,
    );
  }
  const way =
    creates || isEmbedded ? "into a database of its own, which then is swapped" : "in place";
  return ok(`${name} owns the database. A restore writes ${way}.`);
}

async function checkExtensions(client: Client) {
  const { rows } = await client.query<{ name: string }>(
    `SELECT needed.name FROM unnest(ARRAY['btree_gin', 'btree_gist', 'pg_trgm']) AS needed (name)
     WHERE NOT EXISTS (SELECT FROM pg_extension WHERE extname = needed.name)
       AND NOT EXISTS (SELECT FROM pg_available_extension_versions v WHERE v.name = needed.name AND v.trusted)`,
  );
  const missing = rows.map(({ name }) => name).join(", ");
  if (missing === "") return ok("Each is there, or the role may create it.");
  return problem(`${missing}: install PostgreSQL's contrib package, or have an admin create them.`);
}

async function checkRestores(client: Client) {
  await refuseUnconfirmed(client);
  await refuseOthersTables(client);
  const { rows } = await client.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE starts_with(datname, current_database() || '_restoring_')`,
  );
  if (rows.length === 0) return ok("None is unfinished.");
  return note(`${rows.map(({ name }) => name).join(", ")} of an interrupted one goes at the next.`);
}

/** A pooler that gives each transaction another connection loses notifications. */
async function checkNotices(client: Client) {
  const heard = once(client, "notification");
  await client.query(`LISTEN ${client.escapeIdentifier(deliveriesChannel)}`);
  await client.query("SELECT pg_notify($1, '')", [deliveriesChannel]);
  const isHeard = await Promise.race([heard.then(() => true), delay(1_000, false)]);
  if (isHeard) return ok("Mails and pages learn of changes at once.");
  return problem("LISTEN hears nothing: connect without a pooler, or let it pool sessions.");
}

/** Of a database that a gateway has used. */
export function checkSchema(engine: Engine): Check {
  return {
    name: "Schema",
    async run() {
      const { problems, migrations } = await checkReadiness(engine);
      if (problems.length === 0) return ok("It is that of this version, and both clocks agree.");
      const isPending = (migrations?.pending.length ?? 0) > 0;
      return problem([...problems, ...(isPending ? ["npm start does it."] : [])].join(" "));
    },
  };
}
