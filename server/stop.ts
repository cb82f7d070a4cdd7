import type { Server } from "node:http";

const graceMsMax = 10_000;
const pollMs = 50;

/** Takes nothing new, lets what runs finish, and cuts off what takes too long. */
export async function stopServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that was busy when the door closed idles once its answer is out.
  const sweep = setInterval(() => server.closeIdleConnections(), pollMs);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMsMax);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
