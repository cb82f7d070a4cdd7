import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { Client } from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { openPool } from "@/lib/engine/db";
import { knownMigrations, migrate } from "@/lib/engine/migrate";
import { emptyDatabase } from "@/tests/support/database";
import { testEngine } from "@/tests/support/harness";
import { mintAgent, mintOwner } from "@/tests/support/personas";
import { checkBackup, refuseOtherVersion } from "./check-backup";
import { loadBackup } from "./load-backup";
import { makeBackup } from "./make-backup";
import { openWith, sealWith } from "./seal-file";

const engine = await testEngine();
const url = engine.env.DATABASE_URL ?? "";
const folder = await mkdtemp(path.join(tmpdir(), "gateway-backup-"));
afterAll(() => rm(folder, { recursive: true }));

// Every kind of column that COPY could get wrong, on a table that is cut in partitions.
const oddTables = `
  CREATE TABLE odd (
    id bigint GENERATED ALWAYS AS IDENTITY, at date NOT NULL, parent bigint, text text, bytes bytea, list text[],
    number float8, price numeric, document jsonb, xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    length int GENERATED ALWAYS AS (length(text)) STORED, PRIMARY KEY (id, at),
    FOREIGN KEY (parent, at) REFERENCES odd (id, at)
  ) PARTITION BY RANGE (at);
  CREATE INDEX odd_text ON odd (text);`;
const monthly = `
  CREATE TABLE odd_1 PARTITION OF odd FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
  CREATE TABLE odd_2 PARTITION OF odd FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');`;
const yearly =
  "CREATE TABLE odd_y PARTITION OF odd FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');";

const owner = await mintOwner(engine, { policies: [{ permissions: ["read"] }] });
await mintAgent(engine);
await engine.pool.query(oddTables + monthly);
await engine.pool.query(
  `INSERT INTO odd (at, parent, text, bytes, list, number, price, document)
   SELECT date '2026-01-01' + n % 50, CASE WHEN n BETWEEN 51 AND 1000 THEN n - 50 END, E'a\\tb\\\\.\\n\\r' || chr(1 + n % 31) || '€𝄞' || n,
     decode(md5(n::text), 'hex'), ARRAY['"', NULL, '{}', '\\N'], 1.0 / n, n / 7::numeric, '{"a": [null, "\\u20ac"]}'
   FROM generate_series(1, 60000) n`,
);

const version = "0.1.0";
const madeAt = new Date("2026-03-01T12:00:00.000Z");
let files = 0;

function newFile(): string {
  files += 1;
  return path.join(folder, `${files}.tar.gz`);
}

async function backup(passphrase?: string) {
  return makeBackup({ url, file: newFile(), passphrase, version, madeAt });
}

/** A database with the schema of the backups, whose partitions are other ones. */
async function target(): Promise<string> {
  const address = await emptyDatabase();
  await withClient(address, async (client) => {
    const pool = openPool({ url: address, poolMax: 1, onIdleError: () => undefined });
    await migrate(pool, path.resolve("prisma"));
    await pool.end();
    await client.query(oddTables + yearly);
  });
  return address;
}

async function withClient<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function load(address: string, file: string, passphrase?: string): Promise<void> {
  const source = { file, passphrase };
  const manifest = await checkBackup(source);
  await withClient(address, async (client) => {
    await client.query("BEGIN");
    await loadBackup(client, source, manifest);
    await client.query("COMMIT");
  });
}

const stringOf = (column: string) => `coalesce(${column}::text, '∅')`;

/** Counts and sums that do not depend on the order of rows or on partitions. */
async function digests(address: string): Promise<Record<string, string>> {
  return withClient(address, async (client) => {
    const { rows } = await client.query<{ name: string; columns: string[] }>(
      `SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attname) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND c.relname <> '_prisma_migrations' AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid <> 'xid8'::regtype
       GROUP BY c.relname ORDER BY c.relname`,
    );
    const found: Record<string, string> = {};
    for (const { name, columns } of rows) {
      const row = columns.map(stringOf).join(" || chr(31) || ");
      const sum = `sum(('x' || substr(encode(sha256(convert_to(${row}, 'UTF8')), 'hex'), 1, 15))::bit(60)::bigint)`;
      const { rows: counted } = await client.query<{ count: string; sum: string }>(
        `SELECT count(*), ${sum} AS sum FROM "${name}"`,
      );
      found[name] = `${counted[0]?.count} ${counted[0]?.sum}`;
    }
    return found;
  });
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error("was not refused");
  expect(error.name).toBe("BackupRefused");
  return error.message;
}

describe("a backup", () => {
  test("is written into an empty database -> every table has the same rows", async () => {
    const { file, manifest, bytes } = await backup();
    expect((await stat(file)).size).toBe(bytes);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const address = await target();
    await load(address, file);
    expect(await digests(address)).toEqual(await digests(url));
    const odd = manifest.tables.find(({ name }) => name === "odd");
    expect(odd).toMatchObject({ rows: 60_000, parts: 3 });
    expect(odd?.columns).not.toContain("xid");
    expect(odd?.columns).not.toContain("length");
  });

  test("is written into an empty database -> keys, triggers, indexes and sequences are as before", async () => {
    const { file } = await backup();
    const address = await target();
    const schema = (at: string) =>
      withClient(at, async (client) => {
        const { rows } = await client.query(
          `SELECT conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint
             WHERE connamespace = 'public'::regnamespace AND conparentid = 0 AND contype <> 'n'
           UNION ALL SELECT c.relname, pg_get_indexdef(c.oid) FROM pg_class c
             WHERE relnamespace = 'public'::regnamespace AND relkind IN ('i', 'I') AND NOT relispartition
           UNION ALL SELECT tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
           ORDER BY 1, 2`,
        );
        return rows;
      });
    await load(address, file);
    expect(await schema(address)).toEqual(await schema(url));
    await withClient(address, async (client) => {
      const { rows } = await client.query(
        "INSERT INTO odd (at) VALUES ('2026-05-01') RETURNING id",
      );
      expect(rows).toEqual([{ id: "60001" }]);
      const { rows: ids } = await client.query(`SELECT nextval('"Profile_id_seq"')::int AS id`);
      expect(ids[0].id).toBeGreaterThan(owner.profileId);
      const { rows: future } = await client.query(
        "SELECT count(*)::int AS count FROM odd WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())",
      );
      expect(future).toEqual([{ count: 0 }]);
      const added = `INSERT INTO "AdminEvent" VALUES ('evt_1', now(), 'shell', 'x', NULL, NULL, NULL, 'req_1')`;
      await client.query(added);
      await expect(client.query(`DELETE FROM "AdminEvent"`)).rejects.toThrow(/append-only/);
    });
  });

  test("is made while a transaction commits pairs -> holds whole pairs only", async () => {
    await engine.pool.query("CREATE TABLE one (n int); CREATE TABLE other (n int)");
    let isRunning = true;
    const writer = withClient(url, async (client) => {
      for (let n = 0; isRunning; n++) {
        await client.query(
          `BEGIN; INSERT INTO other VALUES (${n}); INSERT INTO one VALUES (${n}); COMMIT`,
        );
      }
      return client.query("SELECT count(*)::int AS count FROM one");
    });
    const { manifest } = await backup();
    const { manifest: later } = await backup();
    isRunning = false;
    const { rows } = await writer;
    await engine.pool.query("DROP TABLE one, other");
    const rowsOf = (name: string, { tables } = manifest) =>
      tables.find((table) => table.name === name)?.rows;
    expect(rowsOf("one")).toBe(rowsOf("other"));
    expect(rowsOf("one", later)).toBe(rowsOf("other", later));
    expect(rowsOf("one", later)).toBeGreaterThan(rowsOf("one") ?? 0);
    expect(rows[0].count).toBeGreaterThanOrEqual(rowsOf("one", later) ?? 0);
  });

  test("cannot be made twice at a time -> the second one is refused", async () => {
    const [one, other] = await Promise.allSettled([backup(), backup()]);
    expect([one.status, other.status].sort()).toEqual(["fulfilled", "rejected"]);
    const failed = one.status === "rejected" ? one : other;
    const { reason } = failed as PromiseRejectedResult;
    expect(reason.message).toBe("Another backup is being made: wait until it has ended.");
  });

  test("loses its connection -> is refused, and leaves no file", async () => {
    const file = path.join(folder, "lost.tar.gz");
    await withClient(url, async (client) => {
      await client.query("BEGIN; LOCK TABLE odd IN ACCESS EXCLUSIVE MODE");
      const making = makeBackup({ url, file, passphrase: undefined, version, madeAt });
      const failed = expect(making).rejects.toThrow(/terminat/);
      const waiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'gateway-backup' AND datname = current_database() AND wait_event_type = 'Lock'`;
      const ended = async () => (await engine.pool.query(waiting)).rowCount;
      await expect.poll(ended).toBe(1);
      await failed;
    });
    expect((await readdir(folder)).filter((entry) => entry.startsWith("lost.tar"))).toEqual([]);
  });

  test("is asked of a database without tables -> is refused", async () => {
    const made = makeBackup({
      url: await emptyDatabase(),
      file: newFile(),
      passphrase: undefined,
      version,
      madeAt,
    });
    expect(await refusal(made)).toBe("The database is empty: start the gateway once.");
  });
});

describe("checking a backup", () => {
  const changed = async (change: (tar: Buffer) => Buffer) => {
    const { file } = await backup();
    await writeFile(file, gzipSync(change(gunzipSync(await readFile(file)))));
    return checkBackup({ file, passphrase: undefined });
  };

  test("a file cut short anywhere -> says so", async () => {
    const { file, bytes } = await backup();
    for (const length of [bytes - 1, bytes - 300, Math.floor(bytes / 2), 40]) {
      await truncate(file, length);
      expect(await refusal(checkBackup({ file, passphrase: undefined }))).toMatch(/cut short/);
    }
  });

  test("one byte changed inside and packed again -> names the table", async () => {
    const flip = (tar: Buffer) => {
      const at = tar.indexOf("€𝄞4711");
      tar.writeUInt8(0x38, at + 7);
      return tar;
    };
    expect(await refusal(changed(flip))).toBe("The backup is damaged (odd): take another one.");
  });

  test("one byte changed in the packed file -> says that it is damaged", async () => {
    const { file, bytes } = await backup();
    const packed = await readFile(file);
    packed.writeUInt8(packed.readUInt8(bytes >> 1) ^ 0xff, bytes >> 1);
    await writeFile(file, packed);
    expect(await refusal(checkBackup({ file, passphrase: undefined }))).toMatch(/is damaged/);
  });

  test("fewer rows than the manifest says -> names the table", async () => {
    const rename = (tar: Buffer) =>
      Buffer.from(tar.toString("latin1").replace(/"rows": 60000/, '"rows": 60001'), "latin1");
    const { file } = await backup();
    await writeFile(file, gzipSync(rename(gunzipSync(await readFile(file)))));
    const address = await target();
    expect(await refusal(load(address, file))).toBe(
      "The backup is damaged (odd): take another one.",
    );
  });

  test("a file of a newer format or with unknown migrations -> names its version", async () => {
    const newer = (tar: Buffer) =>
      Buffer.from(tar.toString("latin1").replace('"format": 1,', '"format": 2,'), "latin1");
    const sentence =
      "The backup was made by a newer gateway (0.1.0): install that version, or take an older backup.";
    expect(await refusal(changed(newer))).toBe(sentence);
    const { manifest } = await backup();
    const known = await knownMigrations(path.resolve("prisma"));
    refuseOtherVersion(manifest, known);
    expect(() => refuseOtherVersion(manifest, known.slice(1))).toThrow(/another gateway/);
    expect(() => refuseOtherVersion(manifest, known.slice(0, -1))).toThrow(sentence);
  });

  test("something else than a backup -> says what to choose", async () => {
    const file = newFile();
    const sentence = "This file is not a backup of the gateway: choose a .tar.gz that it made.";
    for (const content of [Buffer.alloc(0), Buffer.from("PK\x03\x04"), Buffer.alloc(9_000, "x")]) {
      await writeFile(file, content);
      expect(await refusal(checkBackup({ file, passphrase: undefined }))).toBe(sentence);
    }
    await writeFile(file, gzipSync(Buffer.alloc(9_000, "x")));
    expect(await refusal(checkBackup({ file, passphrase: undefined }))).toMatch(/damaged/);
    const missing = checkBackup({ file: path.join(folder, "none"), passphrase: undefined });
    expect(await refusal(missing)).toMatch(/^There is no such file/);
    expect(await refusal(checkBackup({ file: folder, passphrase: undefined }))).toMatch(/no such/);
  });
});

describe("a backup under a passphrase", () => {
  test("is loaded with it -> the same rows; holds no plain text", async () => {
    const { file } = await backup("correct horse");
    expect((await readFile(file)).includes("manifest")).toBe(false);
    const address = await target();
    await load(address, file, "correct horse");
    expect(await digests(address)).toEqual(await digests(url));
  });

  test("is read with a wrong one or none -> asks for the right one", async () => {
    const { file } = await backup("correct horse");
    const wrong = refusal(checkBackup({ file, passphrase: "battery" }));
    expect(await wrong).toMatch(
      /^The passphrase does not open this backup: give the one .* BACKUP_PASSPHRASE/,
    );
    const none = refusal(checkBackup({ file, passphrase: undefined }));
    expect(await none).toMatch(
      /^The backup is under a passphrase: give the one .* BACKUP_PASSPHRASE/,
    );
  });

  test("is cut at any place or changed in any chunk -> is refused", async () => {
    const text = Buffer.alloc(3 * 1024 * 1024, "0123456789");
    const sealed = await buffer(Readable.from(sealWith("horse")(Readable.from([text]))));
    const open = (bytes: Buffer) =>
      buffer(Readable.from(openWith("horse")(Readable.from([bytes]))));
    expect((await open(sealed)).equals(text)).toBe(true);
    const chunk = 1024 * 1024 + 16;
    const header = sealed.length - 3 * chunk;
    for (const length of [0, header - 1, header, header + 5, header + chunk, header + chunk + 1]) {
      expect(await refusal(open(sealed.subarray(0, length)))).toMatch(/cut short/);
    }
    const [first, second, third] = [0, 1, 2].map((n) =>
      sealed.subarray(header + n * chunk, header + (n + 1) * chunk),
    ) as [Buffer, Buffer, Buffer];
    const moved = Buffer.concat([sealed.subarray(0, header), second, first, third]);
    expect(await refusal(open(moved))).toMatch(/damaged/);
    const left = Buffer.concat([sealed.subarray(0, header), first, third]);
    expect(await refusal(open(left))).toMatch(/cut short|damaged/);
  });

  test("an empty stream is sealed -> opens to an empty one", async () => {
    const sealed = await buffer(Readable.from(sealWith("horse")(Readable.from([]))));
    const opened = openWith("horse")(Readable.from([sealed]));
    expect(await buffer(Readable.from(opened))).toHaveLength(0);
  });
});

test("the file is a tar that other programs read", async () => {
  const { file } = await backup();
  const names = execFileSync("tar", ["-tzf", file], { encoding: "utf8" }).trim().split("\n");
  expect(names.at(-1)).toBe("manifest.json");
  expect(names).toContain("tables/odd/000002");
});
