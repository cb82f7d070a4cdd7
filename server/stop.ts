import type { Server } from "node:http";
import type { Socket } from "node:net";

const graceMsMax = 10_000;
const pollMs = 50;

/** Stops accepting, lets requests finish, and cuts off those that take too long. */
export async function stopServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A busy connection becomes idle once its answer is sent.
  const sweep = setInterval(() => server.closeIdleConnections(), pollMs);
  const deadline = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, graceMsMax);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

/** Every open connection, also those that HTTP has let go of: `server.close` waits for them too. */
export function openSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}
