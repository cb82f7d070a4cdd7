import { spawn } from "node:child_process";
import { once } from "node:events";
import { environmentWith } from "@/lib/engine/env";
import { unconfirmedFlag } from "./databases";

const startMsMax = 5 * 60_000;
const stopMsMax = 30_000;

/** Starts the gateway on a free port of this machine, asks whether it is ready, and stops it; throws if it is not. */
export async function checkHealth(databaseUrl: string): Promise<void> {
  const child = spawn(process.execPath, ["server/run.mjs", "server/main.ts", unconfirmedFlag], {
    env: environmentWith({
      DATABASE_URL: databaseUrl,
      HOST: "127.0.0.1",
      PORT: "0",
      // Only this machine reaches it, and needs no token then.
      PUBLIC_URL: "",
      TRUST_PROXY_HOPS: "",
      METRICS_TOKEN: "",
      BACKUP_AT: "off",
      LOG_LEVEL: "warn",
    }),
    // By the channel, the gateway knows when this process is gone.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const ended = once(child, "close");
  const deadline = setTimeout(() => child.kill("SIGKILL"), startMsMax);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      said = (said + chunk).slice(-10_000);
    });
  }
  try {
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout?.on("data", () => {
        const [, found] = /^ {2}Address +(\S+)$/m.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
      ended.then(() => reject(new Error(lastLine(said))), reject);
    });
    const ready = await fetch(`${address}/api/health/ready`);
    if (!ready.ok) throw new Error((await ready.text()).slice(0, 300));
  } finally {
    clearTimeout(deadline);
    const killing = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
    child.kill("SIGTERM");
    await ended;
    clearTimeout(killing);
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
