import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import type { Running } from "./options";

const PATH = "/usr/local/bin:/usr/bin:/bin";
const startMsMax = 180_000;

export interface OwnGateway extends Running {
  /** Of whoever signs in. */
  profileDid: string;
  databaseUrl: string;
  stop(): Promise<void>;
}

const Demo = z.object({
  users: z.array(
    z.object({ name: z.string(), email: z.string(), password: z.string(), did: z.string() }),
  ),
});

/** The gateway as it is run, on data of its own that are gone when it stops. */
export async function startOwnGateway(who: "Alice" | "Root"): Promise<OwnGateway> {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-pages-"));
  const flags = ["--import", path.resolve("tests/faults/settle.mjs")];
  const child = spawn(process.execPath, [...flags, "server/run.mjs", "server/main.ts", "--demo"], {
    // Nothing of whoever measures: everybody's start, but for the hourly limit of scripts.
    env: {
      NODE_ENV: "production",
      PATH,
      PORT: "0",
      DATA_FOLDER: folder,
      LIMIT_SESSION: "1000000",
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  async function stop(): Promise<void> {
    if (child.exitCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  }
  try {
    const url = await listening(child);
    const { users } = Demo.parse(JSON.parse(await readFile(`${folder}/demo/demo.json`, "utf8")));
    const visitor = users.find(({ name }) => name === who);
    if (visitor === undefined) throw new Error(`the demo has no ${who}`);
    const { email, password, did } = visitor;
    const watched = { pid: child.pid ?? 0, settles: true };
    const databaseUrl = await databaseIn(folder);
    return { url, email, password, process: watched, profileDid: did, databaseUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string) => reject(new Error(`${why}\n${said}`));
    const timer = setTimeout(() => fail("the gateway did not start in time"), startMsMax);
    child.once("exit", (code) => fail(`the gateway ended with ${code}`));
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const address = /^ {2}Address +(\S+)$/m.exec(said)?.[1];
      if (address === undefined || !/^ {2}Demo keys /m.test(said)) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

// As CONTRIBUTING.md says for whoever wants to look into the embedded database.
async function databaseIn(folder: string): Promise<string> {
  const [, password = ""] = (await readFile(`${folder}/postgres/gateway.password`, "utf8")).split(
    "\n",
  );
  const [, , , port] = (await readFile(`${folder}/postgres/postmaster.pid`, "utf8")).split("\n");
  return `postgresql://gateway:${password}@127.0.0.1:${port}/gateway`;
}
