import { readFileSync } from "node:fs";
import path from "node:path";
import { Client as Database } from "pg";
import type { BrowserContext, Page } from "playwright";
import { type Client, createClient, ProtocolError } from "@/lib/protocol/client";
import type { Did } from "@/lib/protocol/did";
import { signIn } from "./people";

// The demo's people and agents, as demo.json tells of them.

interface Demo {
  agents: { name: string; did: Did; keyFile: string }[];
  users: { name: string; email: string; password: string; did: Did; keyFile: string }[];
}

const { DEMO_URL = "", DEMO_FOLDER = "" } = process.env;

function demo(): Demo {
  return JSON.parse(readFileSync(path.join(DEMO_FOLDER, "demo.json"), "utf8"));
}

export function aliceDid(): Did {
  return alice().did;
}

/** For a script that signs in by itself. */
export function aliceSignIn(): { email: string; password: string } {
  return alice();
}

/** The demo's admin. */
export function rootSignIn(): { email: string; password: string } {
  return user("Root");
}

function alice() {
  return user("Alice");
}

function user(name: string) {
  return found(demo().users.find((one) => one.name === name));
}

type AgentName = "Iris" | "Atlas" | "Nova";

/** The real client, with the agent's own key. */
export function agentClient(name: AgentName): Client {
  return clientOf(agent(name));
}

export function agentDid(name: AgentName): Did {
  return agent(name).did;
}

function agent(name: AgentName) {
  return found(demo().agents.find((one) => one.name === name));
}

/** The same for Alice herself: what she proposes needs nobody's consent. */
export function aliceClient(): Client {
  return clientOf(alice());
}

function clientOf({ did, keyFile }: { did: Did; keyFile: string }): Client {
  const pem = readFileSync(path.join(DEMO_FOLDER, keyFile), "utf8");
  const privateKey = new Uint8Array(Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64"));
  return createClient({ did, privateKey, baseUrl: DEMO_URL });
}

/** What lasts needs a sign-in of the last ten minutes; a test may take some of them. */
export const freshMs = 5 * 60_000;

let kept: { cookies: Awaited<ReturnType<BrowserContext["cookies"]>>; at: number } | undefined;

/** Alice, signed in within the last minutes. */
export async function signInAlice(page: Page): Promise<void> {
  const now = Date.now();
  if (kept === undefined || kept.at + freshMs < now) {
    await signInAs(page, "Alice");
    kept = { cookies: await page.context().cookies(), at: now };
  }
  await page.context().addCookies(kept.cookies);
}

export async function signInAs(page: Page, name: string): Promise<void> {
  await signIn(page, user(name));
  await page.waitForURL(/\/dashboard$/);
}

export interface Asking {
  scopes: string[];
  purpose: { type: string; description?: string; legalBasis?: string; retention?: string };
}

/** Asks for what needs consent; tells where the owner decides. */
export async function askAccess(agent: Client, { scopes, purpose }: Asking): Promise<string> {
  try {
    await agent.requestAccess({ did: aliceDid(), scopes, purpose });
  } catch (error) {
    if (error instanceof ProtocolError && typeof error.details.consentUrl === "string") {
      return error.details.consentUrl;
    }
    throw error;
  }
  throw new Error("this was granted without asking");
}

function found<T>(one: T | undefined): T {
  if (one === undefined) throw new Error("the demo has nobody of that name");
  return one;
}

/** Makes the sign-ins of a person an hour old: what lasts has to be confirmed again. */
export async function ageSignIns(email: string): Promise<void> {
  const folder = path.join(DEMO_FOLDER, "..", "postgres");
  const linesOf = (file: string) => readFileSync(path.join(folder, file), "utf8").split("\n");
  const [, password] = linesOf("gateway.password");
  const [, , , port] = linesOf("postmaster.pid");
  const client = new Database(`postgresql://gateway:${password}@127.0.0.1:${port}/gateway`);
  await client.connect();
  const { rowCount } = await client.query(
    `UPDATE "Session" SET "confirmedAt" = now() - interval '1 hour'
     WHERE "userId" = (SELECT id FROM "User" WHERE email = $1)`,
    [email],
  );
  await client.end();
  if (rowCount === 0) throw new Error(`${email} is signed in nowhere`);
}
