import { createEngine, installEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { createFrontDoor } from "@/server/front-door/front-door";
import { protocolRoute } from "@/server/front-door/protocol-routes";
import { listen } from "@/server/listen";
import { openSockets, stopServer } from "@/server/stop";
import type { Target } from "../target";
import { plant } from "./planted";
import { rowsOf, unacknowledged } from "./stored";

const host = "127.0.0.1";
const limits = ["PROFILE", "ACCESS", "PROPOSE", "REVIEW", "MEMORIES", "PROPOSALS"];

/** A gateway of this run's own on a migrated database, with things in it that nobody may be told. */
export async function startOwnGateway(databaseUrl: string): Promise<Target> {
  const raised = limits.map((name) => [`LIMIT_${name}`, "100000000"]);
  const env = loadEnv({
    NODE_ENV: "test",
    DATABASE_URL: databaseUrl,
    PEER_LIMIT: "1000000",
    ...Object.fromEntries(raised),
  });
  const engine = installEngine(createEngine(env, createLog({ level: "silent" })));
  const server = createFrontDoor({
    engine,
    protocolRoute,
    next: async (_request, response) => {
      response.writeHead(404, { "Content-Length": 0 }).end();
    },
  });
  const sockets = openSockets(server);
  const port = await listen(server, host, 0);
  const world = await plant(engine, port);
  const before = await rowsOf(engine.pool);
  return {
    world,
    storedUnacknowledged: async (acknowledged) =>
      unacknowledged(before, await rowsOf(engine.pool), acknowledged),
    async stop() {
      server.closeAllConnections();
      await stopServer(server, sockets);
      await engine.stop();
    },
  };
}
