import { Client } from "pg";

/** Runs `work` on a connection of its own, which a failure closes whatever it was doing. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: "gateway-restore",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A lost connection is reported by the statement under way.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
