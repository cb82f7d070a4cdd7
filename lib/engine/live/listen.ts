import { Client } from "pg";
import type { Log } from "../log";

const reconnectMs = 1_000;

export interface Listener {
  stop(): Promise<void>;
}

interface Listening {
  heard: (payload: string) => void;
  /** Connected again: messages sent in between are lost. */
  back: () => void;
}

/** Hears a channel of PostgreSQL on a connection of its own, which is opened again when it breaks. */
export function listen(
  { url, log, channel }: { url: string; log: Log; channel: string },
  { heard, back }: Listening,
): Listener {
  let client: Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;
  async function connect(): Promise<void> {
    const fresh = new Client({ connectionString: url, application_name: "gateway live" });
    client = fresh;
    fresh.on("notification", ({ payload = "" }) => heard(payload));
    fresh.on("error", () => again(fresh));
    fresh.on("end", () => again(fresh));
    await fresh.connect();
    await fresh.query(`LISTEN ${fresh.escapeIdentifier(channel)}`);
    back();
  }
  function again(broken: Client): void {
    if (stopped || client !== broken) return;
    client = undefined;
    broken.end().catch(() => undefined);
    retry = setTimeout(start, reconnectMs).unref();
  }
  function start(): void {
    connect().catch((error: unknown) => {
      log.warn("changes are not heard for the moment", { error });
      if (client !== undefined) again(client);
    });
  }
  start();
  return {
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
