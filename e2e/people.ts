import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { type Client, createClient, ProtocolError } from "@/lib/protocol/client";
import { agentDid, Did } from "@/lib/protocol/did";

// People and agents of one test alone, who come to the gateway as anybody does.

const { DEMO_URL = "" } = process.env;

export interface Person {
  did: Did;
  email: string;
  password: string;
}

/** A newcomer, signed in, with an empty profile. */
export async function signUp(page: Page, name: string): Promise<Person> {
  const handle = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}`;
  const person = { email: `${handle}@example.com`, password: "nine herons over a grey estuary" };
  await page.goto("/sign-up");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Handle").fill(handle);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL(/\/dashboard$/);
  return { ...person, did: Did.parse(`did:prof:user:local:${handle}`) };
}

export interface AgentWords {
  name: string;
  description?: string;
  operator?: string;
}

export interface Agent {
  did: Did;
  client: Client;
}

/** An agent that registers itself, with a key that it made. */
export async function registerAgent(words: AgentWords): Promise<Agent> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const did = agentDid("local", `e2e-${randomUUID().slice(0, 13)}`);
  const pkcs8 = new Uint8Array(privateKey.export({ format: "der", type: "pkcs8" }));
  const client = createClient({ did, privateKey: pkcs8, baseUrl: DEMO_URL });
  const body = JSON.stringify({ did, ...words, publicKey: publicKey.export({ format: "jwk" }) });
  const request = await client.signedRequest({ method: "POST", target: "/api/agents", body });
  const response = await client.send(request);
  if (!response.ok) throw new Error(`registering answered ${response.status}`);
  return { did, client };
}

/** What a refusal says; fails where there is none. */
export async function refusal(asked: Promise<unknown>): Promise<ProtocolError> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error("this was not refused");
}
