import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { Pool } from "pg";
import { answerMcp, answerToken } from "./floor-connected";

// What every gateway of this kind cannot do without, by hand and with nothing around it: verify the
// signature, claim the nonce, read one row. Its keys are in memory, which a gateway must not do.

const [, , databaseUrl = "", poolMax = "20"] = process.argv;
const pool = new Pool({ connectionString: databaseUrl, max: Number(poolMax) });
const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");
const keys = new Map<string, KeyObject>();

async function prepare(): Promise<void> {
  await pool.query(
    `CREATE TABLE IF NOT EXISTS floor_nonce
       (did text, nonce text, "expiresAt" timestamptz, PRIMARY KEY (did, nonce))`,
  );
  const { rows } = await pool.query<{ did: string; publicKey: Buffer }>(
    `SELECT did, "publicKey" FROM "Key" WHERE slot IS NOT NULL`,
  );
  for (const { did, publicKey } of rows) {
    const der = Buffer.concat([spkiPrefix, publicKey]);
    keys.set(did, createPublicKey({ key: der, format: "der", type: "spki" }));
  }
}

function answer(request: IncomingMessage, body: Buffer): Promise<[number, string]> {
  if (request.url === "/mcp") return answerMcp(request, body);
  if (request.url === "/oauth/token") return answerToken(pool, body);
  return answerSigned(request, body);
}

const header = /^PROF-Signature did="([^"]+)", sig="([^"]+)", ts="([^"]+)", nonce="([^"]+)"$/;

async function answerSigned(request: IncomingMessage, body: Buffer): Promise<[number, string]> {
  const [, did = "", signature = "", ts = "", nonce = ""] =
    header.exec(request.headers.authorization ?? "") ?? [];
  const key = keys.get(did);
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const text = [
    "PROF-Signature-v1",
    request.method,
    request.headers.host,
    decodeURIComponent(path),
    query,
    ts,
    nonce,
    createHash("sha256").update(body).digest("hex"),
  ].join("\n");
  const bytes = Buffer.from(signature, "base64");
  if (key === undefined || !verify(null, Buffer.from(text), key, bytes)) return [401, "{}"];
  const claimed = await pool.query({
    name: "claim",
    text: `INSERT INTO floor_nonce (did, nonce, "expiresAt")
           VALUES ($1, $2, now() + interval '65 minutes') ON CONFLICT DO NOTHING`,
    values: [did, nonce],
  });
  if (claimed.rowCount !== 1) return [401, "{}"];
  const { rows } = await pool.query({
    name: "row",
    text: `SELECT did, version, common FROM "Profile" WHERE did = $1`,
    values: [decodeURIComponent(path.split("/")[4] ?? "")],
  });
  return [200, JSON.stringify(rows[0] ?? {})];
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    answer(request, Buffer.concat(chunks)).then(
      ([status, text]) => {
        const length = Buffer.byteLength(text);
        response.writeHead(status, {
          "Content-Type": "application/json",
          "Content-Length": length,
        });
        response.end(text);
      },
      (error: unknown) => {
        process.stderr.write(`${error}\n`);
        response.destroy();
      },
    );
  });
});

await prepare();
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`  Address      http://localhost:${port}\n`);
});
