import { readFileSync } from "node:fs";
import path from "node:path";
import type { BrowserContext, Page } from "playwright";
import { type Client, createClient, ProtocolError } from "@/lib/protocol/client";
import type { Did } from "@/lib/protocol/did";

// The demo's people and agents, as demo.json tells of them.

interface Demo {
  agents: { name: string; did: Did; keyFile: string }[];
  users: { name: string; email: string; password: string; did: Did }[];
}

const { DEMO_URL = "", DEMO_FOLDER = "" } = process.env;

function demo(): Demo {
  return JSON.parse(readFileSync(path.join(DEMO_FOLDER, "demo.json"), "utf8"));
}

export function aliceDid(): Did {
  return alice().did;
}

function alice() {
  return found(demo().users.find(({ name }) => name === "Alice"));
}

/** The real client, with the agent's own key. */
export function agentClient(name: "Iris" | "Atlas" | "Nova"): Client {
  const { did, keyFile } = found(demo().agents.find((agent) => agent.name === name));
  const pem = readFileSync(path.join(DEMO_FOLDER, keyFile), "utf8");
  const privateKey = new Uint8Array(Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64"));
  return createClient({ did, privateKey, baseUrl: DEMO_URL });
}

let kept: Awaited<ReturnType<BrowserContext["cookies"]>> | undefined;

/** Alice, signed in; once a run, as people do. */
export async function signInAlice(page: Page): Promise<void> {
  if (kept === undefined) {
    const { email, password } = alice();
    await page.goto("/sign-in");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/dashboard$/);
    kept = await page.context().cookies();
  }
  await page.context().addCookies(kept);
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
