import { createHash, randomBytes } from "node:crypto";
import { Client } from "pg";
import { bytea, insertRows } from "../../rows";
import type { ClientAsking } from "../requests";
import { memoriesOf, type Owner, type World } from "../world";
import type { Measured, Place } from "./measured";

// What connected clients send: a tool's call with an access token, and refresh tokens for new pairs.

export const connected: Measured[] = [
  {
    name: "mcp",
    line: "MCP read_profile, beside an empty tool",
    target: 0.7,
    async askings(count, place) {
      const owners = place.world.owners.filter((_, n) => memoriesOf(n) === 20);
      const tokens: string[] = [];
      for (const one of await seedConnections(place, { owners, each: 1 })) {
        tokens.push(await accessToken(rotation(one, place.origin), place.origin));
      }
      return Array.from({ length: count }, (_, n) => toolCall(tokens[n % tokens.length]));
    },
  },
  {
    name: "token",
    line: "POST token, beside its statement by hand",
    target: 0.5,
    async askings(count, place) {
      const { owners } = place.world;
      const many = Array.from({ length: Math.ceil(count / pairsEach) }, (_, n) => n);
      const all = many.map((n) => owners[n % owners.length] as Owner);
      const seeded = await seedConnections(place, { owners: all, each: pairsEach });
      return seeded.slice(0, count).map((one) => rotation(one, place.origin));
    },
  },
];

// Below what a connection may have in an hour.
const pairsEach = 20;

interface Seeded {
  refreshToken: string;
  clientId: string;
}

interface Seeding {
  owners: readonly Owner[];
  each: number;
}

/** A connection for each owner, of a client that is one of the world's agents, with so many refresh tokens. */
async function seedConnections(
  { world, databaseUrl, origin }: Place,
  { owners, each }: Seeding,
): Promise<Seeded[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO "Client" (id, "agentDid", name, "redirectUris", "createdAt", "lastUsedAt")
       SELECT 'oauth-' || did, did, name, '{http://localhost/}', now(), now()
       FROM "Agent" WHERE did = ANY($1) ON CONFLICT DO NOTHING`,
      [world.agents.map(({ did }) => did)],
    );
    const connections = owners.map((one, n) => connectionRow(one, { world, origin, n }));
    await insertRows(client, "ConnectionToken", connections);
    const made = connections.flatMap((connection) =>
      Array.from({ length: each }, () => ({
        connection,
        refreshToken: randomBytes(32).toString("hex"),
      })),
    );
    const rows = made.map(({ connection, refreshToken }) => ({
      secretHash: bytea(createHash("sha256").update(refreshToken).digest()),
      ...{ tokenId: connection.id, kind: "refresh", createdAt: longAgo, expiresAt: inDays(1) },
    }));
    await insertRows(client, "ConnectionSecret", rows);
    await client.query(`ANALYZE "Client", "ConnectionToken", "ConnectionSecret"`);
    return made.map(({ connection: { clientId }, refreshToken }) => ({ clientId, refreshToken }));
  } finally {
    await client.end();
  }
}

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000);
// The secrets were made before: what counts are the pairs of the last hour.
const longAgo = inDays(-1);

interface Connecting {
  world: World;
  origin: string;
  n: number;
}

function connectionRow({ profileId }: Owner, { world, origin, n }: Connecting) {
  const agent = world.agents[n % world.agents.length];
  if (agent === undefined) throw new Error("nobody connects");
  return {
    id: `tok_${randomBytes(11).toString("hex")}`,
    profileId,
    agentDid: agent.did,
    clientId: `oauth-${agent.did}`,
    resource: `${origin}/mcp`,
    scopes: ["prof:preferences", "prof:interests", "prof:episodic", "prof:professional"],
    permissions: ["read"],
    createdAt: longAgo,
    expiresAt: inDays(30),
  };
}

const version = "2026-07-28";
const call = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
  params: {
    name: "read_profile",
    arguments: {},
    _meta: {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "load", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

function toolCall(token: string | undefined): ClientAsking {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": version,
    "Mcp-Method": "tools/call",
    "Mcp-Name": "read_profile",
    Authorization: `Bearer ${token}`,
  };
  return { target: "/mcp", headers, content: call };
}

function rotation({ refreshToken, clientId }: Seeded, origin: string): ClientAsking {
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: clientId,
    resource: `${origin}/mcp`,
  });
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return { target: "/oauth/token", headers, content: form.toString() };
}

async function accessToken(asking: ClientAsking, origin: string): Promise<string> {
  const { target, headers, content: body } = asking;
  const response = await fetch(origin + target, { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()).access_token;
}
