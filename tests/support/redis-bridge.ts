import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";

export interface RedisBridge {
  url: string;
  token: string;
  /** As after a crash, or with another signal; `start` brings one back, with what it keeps. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** It keeps its connections and answers nothing until `resume`. */
  hang(): void;
  resume(): void;
  stop(): Promise<void>;
}

/**
 * A real redis-server behind the part of Upstash's REST protocol that its client speaks. It keeps nothing
 * over a crash unless told to.
 */
export async function startRedisBridge(settings: string[] = []): Promise<RedisBridge> {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-redis-"));
  // A socket in a folder of our own instead of a port: no one else can take it first.
  const socket = path.join(folder, "redis.sock");
  const token = "token-of-the-bridge";
  const started = () => startRedis(folder, socket, settings);
  let redis = await started().catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
  const killAtExit = () => redis.kill("SIGKILL");
  process.once("exit", killAtExit);
  const server = createServer((request, response) => answer({ request, response, socket, token }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  async function kill(signal: NodeJS.Signals = "SIGKILL") {
    if (redis.exitCode !== null || redis.signalCode !== null) return;
    const exited = once(redis, "exit");
    redis.kill(signal);
    await exited;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    kill,
    async start() {
      redis = await started();
    },
    hang: () => void redis.kill("SIGSTOP"),
    resume: () => void redis.kill("SIGCONT"),
    async stop() {
      process.off("exit", killAtExit);
      server.closeAllConnections();
      server.close();
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

const whatToInstall =
  "These tests need redis-server on the PATH: install Redis 7 or newer (apt-get install redis-server, brew install redis)";

async function startRedis(
  folder: string,
  socket: string,
  settings: string[],
): Promise<ChildProcess> {
  const fixed = ["--port", "0", "--unixsocket", socket, "--dir", folder, "--save", ""];
  const redis = spawn("redis-server", [...fixed, ...settings], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    redis.once("error", (cause) => reject(new Error(whatToInstall, { cause })));
    redis.once("exit", () => reject(new Error(`redis-server ended at once:\n${said}`)));
    redis.stdout.on("data", (chunk: Buffer) => {
      said += chunk;
      if (/ready to accept connections/i.test(said)) resolve();
    });
  });
  return redis;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  socket: string;
  token: string;
}

async function answer({ request, response, socket, token }: Exchange): Promise<void> {
  const reply = (status: number, body: unknown) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  try {
    if (request.headers.authorization !== `Bearer ${token}`) {
      return void reply(401, { error: "Unauthorized" });
    }
    const encode = request.headers["upstash-encoding"] === "base64" ? inBase64 : asItIs;
    const body: unknown = JSON.parse(await text(request));
    const piped = request.url === "/pipeline";
    const commands = (piped ? body : [body]) as string[][];
    const replies = await ask({ socket, commands, gone: response });
    const results = replies.map((value) =>
      value instanceof RedisError ? { error: value.message } : { result: encode(value) },
    );
    if (piped) return void reply(200, results);
    const [result = {}] = results;
    reply("error" in result ? 400 : 200, result);
  } catch (error) {
    reply(503, { error: String(error) });
  }
}

class RedisError extends Error {}
type Reply = string | number | null | RedisError | Reply[];

const asItIs = (value: Reply): Reply => value;

function inBase64(value: Reply): Reply {
  if (Array.isArray(value)) return value.map(inBase64);
  return typeof value === "string" && value !== "OK"
    ? Buffer.from(value).toString("base64")
    : value;
}

interface Question {
  socket: string;
  commands: string[][];
  gone: ServerResponse;
}

function ask({ socket, commands, gone }: Question): Promise<Reply[]> {
  return new Promise((resolve, reject) => {
    const redis = createConnection(socket);
    let received = Buffer.alloc(0);
    redis.once("error", reject);
    redis.once("close", () => reject(new Error("redis-server hung up")));
    gone.once("close", () => redis.destroy());
    redis.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const read = readArray(received, 0, commands.length);
      if (read === undefined) return;
      resolve(read.value);
      redis.destroy();
    });
    redis.write(commands.map(write).join(""));
  });
}

function write(command: string[]): string {
  const words = command.map((word) => {
    // Upstash allows this first line of a script; Redis 7.0 does not know its flag.
    const plain = String(word).replace(/^#!lua flags=allow-key-locking\n/, "");
    return `$${Buffer.byteLength(plain)}\r\n${plain}\r\n`;
  });
  return `*${command.length}\r\n${words.join("")}`;
}

interface Read<Value> {
  value: Value;
  end: number;
}

// RESP2; undefined while the reply is not all there.
function read(bytes: Buffer, at: number): Read<Reply> | undefined {
  const eol = bytes.indexOf("\r\n", at);
  if (eol < 0) return undefined;
  const head = bytes.toString("utf8", at + 1, eol);
  const end = eol + 2;
  switch (bytes.toString("latin1", at, at + 1)) {
    case "+":
      return { value: head, end };
    case "-":
      return { value: new RedisError(head), end };
    case ":":
      return { value: Number(head), end };
    case "*":
      return head === "-1" ? { value: null, end } : readArray(bytes, end, Number(head));
    default: {
      if (head === "-1") return { value: null, end };
      const last = end + Number(head);
      if (bytes.length < last + 2) return undefined;
      return { value: bytes.toString("utf8", end, last), end: last + 2 };
    }
  }
}

function readArray(bytes: Buffer, at: number, length: number): Read<Reply[]> | undefined {
  const value: Reply[] = [];
  let end = at;
  while (value.length < length) {
    const next = read(bytes, end);
    if (next === undefined) return undefined;
    value.push(next.value);
    end = next.end;
  }
  return { value, end };
}
