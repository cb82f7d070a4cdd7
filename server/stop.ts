import type { Server } from "node:http";
import type { Socket } from "node:net";

const graceMsMax = 10_000;
const pollMs = 50;

/** Takes nothing new, lets what runs finish, and cuts off what takes too long. */
export async function stopServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that was busy when the door closed idles once its answer is out.
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
