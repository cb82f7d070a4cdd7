import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const startMs = 120_000;

// A gateway of this run's own, on an empty database and a free port. It tells its address and how to
// become the first admin, as it tells anybody who starts it; workers read both from these names.
export default async function startGateway(): Promise<() => Promise<void>> {
  if (process.env.GATEWAY_URL !== undefined) return async () => {};
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-e2e-"));
  const gateway = spawn(process.execPath, ["server/run.mjs", "server/main.ts"], {
    env: { ...process.env, NODE_ENV: "production", PORT: "0", DATA_FOLDER: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const told = await listen(gateway);
  process.env.GATEWAY_URL = told.address;
  process.env.GATEWAY_ADMIN_LINK = told.adminLink;
  return async () => {
    const gone = new Promise((resolve) => gateway.once("exit", resolve));
    gateway.kill("SIGTERM");
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
}

function listen(gateway: ChildProcess): Promise<{ address: string; adminLink: string }> {
  return new Promise((resolve, reject) => {
    let text = "";
    const fail = (why: string) => {
      gateway.kill("SIGTERM");
      reject(new Error(`${why}\n${text}`));
    };
    const timer = setTimeout(() => fail("the gateway did not start in time"), startMs);
    gateway.once("exit", (code) => fail(`the gateway ended with ${code}`));
    gateway.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const address = /^ {2}Address +(\S+)$/m.exec(text)?.[1];
      const adminLink = /^ {2}First admin +(\S+)$/m.exec(text)?.[1];
      if (address === undefined || adminLink === undefined) return;
      clearTimeout(timer);
      gateway.removeAllListeners("exit");
      resolve({ address, adminLink });
    });
  });
}
