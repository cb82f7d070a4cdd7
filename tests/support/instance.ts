import { createEngine, installEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createFrontDoor } from "@/server/front-door/front-door";
import { protocolRoute } from "@/server/front-door/protocol-routes";
import { listen } from "@/server/listen";
import { openSockets, stopServer } from "@/server/stop";

// One instance of the gateway as a process of its own, the protocol only. It says its port on standard
// output, and ends with its standard input: also when its starter is gone.
const engine = installEngine(createEngine(loadEnv()));
const server = createFrontDoor({
  engine,
  protocolRoute,
  next: async (_request, response) => void response.writeHead(404).end(),
});
const sockets = openSockets(server);
const port = await listen(server, "127.0.0.1", 0);

process.stdin.resume().once("end", async () => {
  await stopServer(server, sockets);
  await engine.stop();
  process.exit(0);
});
process.stdout.write(`${port}\n`);
