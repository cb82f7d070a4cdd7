import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, type RequestOptions, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import type { SignedRequest } from "@/lib/protocol/client";

export interface Delivered {
  status: number;
  body: string;
}

/** One of several processes that serve one database. */
export interface Instance {
  /** To the host that it was signed for, unless another is named. */
  deliver(signed: SignedRequest, host?: string): Promise<Delivered>;
  /** In an orderly way, or on the spot. */
  end(how?: "kill -9"): Promise<void>;
}

/** Await it at the top of the file, as what it leaves to `afterAll` would not run in a hook. */
export async function startInstance(settings: Record<string, string>): Promise<Instance> {
  const child = spawn(process.execPath, ["server/run.mjs", "tests/support/instance.ts"], {
    env: { NODE_ENV: "test", LOG_LEVEL: "warn", MAX_CONNECTIONS_PER_PEER: "100000", ...settings },
    stdio: ["pipe", "pipe", "inherit"],
  });
  // It lets go of what idles before the gateway does: a request on a connection that is just being closed is lost.
  const agent = new Agent({ keepAlive: true, timeout: 2_000 });
  afterAll(async () => {
    agent.destroy();
    await end(child);
  });
  const port = await portOf(child);
  return {
    async deliver({ url, method, headers, body }, host = new URL(url).host) {
      const { pathname, search } = new URL(url);
      const path = pathname + search;
      const options = { port, agent, method, path, headers: { ...headers, Host: host } };
      return exchange({ host: "127.0.0.1", ...options }, body);
    },
    async end(how) {
      if (how === "kill -9") child.kill("SIGKILL");
      agent.destroy();
      await end(child);
    },
  };
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`an instance ended at once, with ${code}`)));
    child.stdout?.once("data", (line: Buffer) => resolve(Number(line.toString())));
  });
}

const graceMsMax = 10_000;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  const deadline = setTimeout(() => child.kill("SIGKILL"), graceMsMax);
  child.stdin?.end();
  await exited;
  clearTimeout(deadline);
}

async function exchange(options: RequestOptions, body: SignedRequest["body"]): Promise<Delivered> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (incoming) => {
      const status = incoming.statusCode ?? 0;
      text(incoming).then((answered) => resolve({ status, body: answered }), reject);
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}
