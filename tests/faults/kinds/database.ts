import { setTimeout as delay } from "node:timers/promises";
import type { Kind, Rig } from "./kind";

const pauseMs = 5_000;

export const databaseKinds: Kind[] = [
  {
    name: "PostgreSQL killed",
    excuse: "unavailable",
    async inject({ cluster, random }) {
      await cluster.kill();
      await delay(500 + random.below(3_000));
      await cluster.start();
      return undefined;
    },
  },
  {
    name: "PostgreSQL stopped at once",
    excuse: "unavailable",
    async inject({ cluster, random }) {
      await cluster.stopAtOnce();
      await delay(500 + random.below(3_000));
      await cluster.start();
      return undefined;
    },
  },
  {
    name: "PostgreSQL paused",
    excuse: "unavailable",
    async inject({ cluster }) {
      await cluster.signalAll("SIGSTOP");
      await delay(pauseMs);
      await cluster.signalAll("SIGCONT");
      return undefined;
    },
  },
  {
    name: "database connections slow",
    excuse: "unavailable",
    async inject({ relay, random }) {
      const ms = 50 + random.below(400);
      relay.slowDown(ms);
      await delay(4_000);
      relay.slowDown(0);
      return `${ms} ms`;
    },
  },
  {
    name: "database connections reset",
    excuse: "unavailable",
    async inject({ relay, random }) {
      for (let again = 0; again < 20; again++) {
        relay.reset(0.3);
        await delay(50 + random.below(250));
      }
      relay.reset(0);
      return undefined;
    },
  },
  { name: "database connections all busy", excuse: "unavailable", inject: holdTables },
  { name: "database connections refused", excuse: "unavailable", inject: refuseConnections },
];

// Every admitted request has to wait for this lock, holding a connection: the pools run dry.
async function holdTables({ cluster, random }: Rig): Promise<string> {
  const ms = 6_000 + random.below(3_000);
  await cluster.asSuperuser(async (client) => {
    await client.query("BEGIN");
    await client.query(`LOCK TABLE "Nonce", "Session", "Proposal" IN ACCESS EXCLUSIVE MODE`);
    await delay(ms);
    await client.query("ROLLBACK");
  });
  return `${(ms / 1_000).toFixed(1)} s`;
}

async function refuseConnections({ cluster, random }: Rig): Promise<undefined> {
  await cluster.asSuperuser(async (client) => {
    await client.query("ALTER ROLE gateway CONNECTION LIMIT 1");
    for (let again = 0; again < 8; again++) {
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'gateway'",
      );
      await delay(250 + random.below(500));
    }
    await client.query("ALTER ROLE gateway CONNECTION LIMIT -1");
  });
  return undefined;
}
