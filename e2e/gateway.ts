import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startMailServer } from "./mail/server";
import { startOauthProvider } from "./oauth-provider";

// A busy machine takes its time to build the pages.
const startMs = 300_000;

type Stop = () => Promise<void>;

// Gateways of this run's own, each on a free port and its own database: an empty one, whose first admin is
// yet to come, and for each worker one with the demo's people and agents. Workers read from these names
// where they are; one that is named already is used as it runs. They start one after another: a busy
// machine that fills several databases at once runs into the time that a transaction has.
export default async function startGateways({ workers }: { workers: number }): Promise<Stop> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (const one of stops.reverse()) await one();
  };
  const { GATEWAY_URL, DEMO_URL } = process.env;
  try {
    if (GATEWAY_URL === undefined) await startEmpty(stops);
    if (DEMO_URL === undefined) await startDemos(stops, workers);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function startEmpty(stops: Stop[]): Promise<void> {
  const { address, adminLink } = await startGateway(stops, []);
  process.env.GATEWAY_URL = address;
  process.env.GATEWAY_ADMIN_LINK = adminLink;
}

async function startDemos(stops: Stop[], workers: number): Promise<void> {
  const provider = await startOauthProvider();
  stops.push(provider.stop);
  const mail = await startMailServer();
  stops.push(mail.stop);
  process.env.MAILS_URL = mail.url;
  const mailing = { SMTP_URL: mail.smtpUrl, MAIL_FROM: "gateway@example.com" };
  const settings = { ...lettingIn, ...mailing, ...signInAt(provider.url) };
  for (let worker = 0; worker < workers; worker++) {
    const { address, folder } = await startGateway(stops, ["--demo"], settings);
    process.env[`DEMO_URL_${worker}`] = address;
    process.env[`DEMO_FOLDER_${worker}`] = path.join(folder, "demo");
  }
}

// The tests of a run ask more of an hour than people do.
const limits = Object.fromEntries(
  [
    ...["PROFILE", "ACCESS", "PROPOSE", "REVIEW", "MEMORIES", "PROPOSALS", "REGISTER", "SESSION"],
  ].map((name) => [`LIMIT_${name}`, "100000"]),
);

function signInAt(url: string): Record<string, string> {
  const client = { id: "client", secret: "secret" };
  return {
    ...{ GITHUB_URL: url, GITHUB_ID: client.id, GITHUB_SECRET: client.secret },
    ...{ GOOGLE_ISSUER: url, GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret },
  };
}

// Among the demo's people an agent that registers itself is let in at once.
const lettingIn = { AGENT_REGISTRATION: "open" };

export async function startGateway(
  stops: Stop[],
  flags: string[],
  settings: Record<string, string> = {},
) {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-e2e-"));
  const gateway = spawn(process.execPath, ["server/run.mjs", "server/main.ts", ...flags], {
    env: {
      ...process.env,
      ...limits,
      ...settings,
      NODE_ENV: "production",
      PORT: "0",
      DATA_FOLDER: folder,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  stops.push(async () => {
    const gone = new Promise((resolve) => gateway.once("exit", resolve));
    if (gateway.kill("SIGTERM")) await gone;
    await rm(folder, { recursive: true, force: true });
  });
  return { ...(await listen(gateway)), folder };
}

function listen(
  gateway: ChildProcess,
): Promise<{ address: string; adminLink: string | undefined }> {
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
      // The banner ends with how to get in.
      const adminLink = /^ {2}First admin +(\S+)$/m.exec(text)?.[1];
      if (address === undefined || !/^ {2}(First admin|Demo keys) /m.test(text)) return;
      clearTimeout(timer);
      gateway.removeAllListeners("exit");
      resolve({ address, adminLink });
    });
  });
}
