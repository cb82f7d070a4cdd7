import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { StartRefused } from "./embedded-postgres/refusal";

/** Starts to listen and returns the port. For port 0, the system chooses one. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(refusal(error, host, port)));
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new StartRefused(
      `Port ${port} is taken by another program. Stop it, or choose another port: PORT=3001 npm start`,
    );
  }
  if (error.code === "EACCES") {
    return new StartRefused(
      `This user may not listen on port ${port}. Set PORT to one above 1023.`,
    );
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new StartRefused(`HOST must be an address of this machine, and ${host} is not.`);
  }
  return error;
}
