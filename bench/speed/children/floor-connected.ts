import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import type { Pool } from "pg";
import { z } from "zod";

// What connected clients are measured beside: a tool that does nothing, behind the same library, and the
// statements of a rotation with nothing around them.

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "floor", version: "1" });
  server.registerTool("read_profile", { inputSchema: z.object({}) }, async () => ({ content: [] }));
  return server;
});

export async function answerMcp(
  { headers, rawHeaders }: IncomingMessage,
  body: Buffer,
): Promise<[number, string]> {
  const passed = new Headers();
  for (let n = 0; n < rawHeaders.length; n += 2) {
    passed.append(rawHeaders[n] ?? "", rawHeaders[n + 1] ?? "");
  }
  const url = `http://${headers.host}/mcp`;
  const request = new Request(url, { method: "POST", headers: passed, body: new Uint8Array(body) });
  const response = await handler.fetch(request);
  return [response.status, await response.text()];
}

const day = 24 * 60 * 60_000;
const sha256 = (text: string) => createHash("sha256").update(text).digest();

export async function answerToken(pool: Pool, body: Buffer): Promise<[number, string]> {
  const form = new URLSearchParams(body.toString());
  const clientId = form.get("client_id");
  const [access, refresh] = [randomBytes(32), randomBytes(32)].map((one) => one.toString("hex"));
  const now = Date.now();
  const { rows } = await pool.query({
    name: "rotate",
    text: rotation,
    values: [
      ...[sha256(form.get("refresh_token") ?? ""), clientId, form.get("resource"), new Date(now)],
      ...[new Date(now - 60_000), new Date(now - day / 24)],
      ...[sha256(`${access}`), new Date(now + day), sha256(`${refresh}`), new Date(now + 90 * day)],
    ],
  });
  if (rows[0] === undefined) return [400, "{}"];
  return [200, JSON.stringify({ access_token: access, refresh_token: refresh, ...rows[0] })];
}

const rotation = `
  WITH held AS MATERIALIZED (
    SELECT t.* FROM "ConnectionSecret" s JOIN "ConnectionToken" t ON t.id = s."tokenId"
    WHERE s."secretHash" = $1 AND s.kind = 'refresh' AND s."expiresAt" > $4
      AND t."clientId" = $2 AND t.resource = $3 AND t."revokedAt" IS NULL AND t."expiresAt" > $4
      AND EXISTS (SELECT FROM "Agent" a WHERE a.did = t."agentDid")
      AND (SELECT count(*) FROM "ConnectionSecret" n WHERE n."tokenId" = t.id AND n."createdAt" > $6) < 120
    FOR SHARE OF t
  ), used AS (
    UPDATE "ConnectionSecret" s SET "usedAt" = coalesce(s."usedAt", $4) FROM held
    WHERE s."secretHash" = $1 AND (s."usedAt" IS NULL OR s."usedAt" > $5) RETURNING held.*
  ), issued AS (
    INSERT INTO "ConnectionSecret" ("secretHash", "tokenId", kind, "createdAt", "expiresAt")
    SELECT n.hash, used.id, n.kind, $4, least(n.until, used."expiresAt") FROM used CROSS JOIN (VALUES
      ($7::bytea, 'access'::"SecretKind", $8::timestamptz), ($9::bytea, 'refresh'::"SecretKind", $10::timestamptz)
    ) AS n (hash, kind, until)
  )
  SELECT scopes, "expiresAt" FROM used`;
