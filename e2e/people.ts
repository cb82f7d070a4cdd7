import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "playwright";
import { type Client, createClient, ProtocolError } from "@/lib/protocol/client";
import { agentDid, Did } from "@/lib/protocol/did";
import { filledIn, formsIn } from "./forms";

// People and agents of one test alone, who come to the gateway as anybody does.

const { DEMO_URL = "" } = process.env;

export interface Person {
  did: Did;
  handle: string;
  email: string;
  password: string;
}

function somebody(name: string): Person {
  const handle = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}`;
  const did = Did.parse(`did:prof:user:local:${handle}`);
  const password = "nine herons over a grey estuary";
  return { did, handle, email: `${handle}@example.com`, password };
}

/** A newcomer who signs up on the page, with an empty profile. */
export async function signUp(page: Page, name: string): Promise<Person> {
  const person = somebody(name);
  await page.goto("/sign-up");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Handle").fill(person.handle);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL(/\/dashboard$/);
  return person;
}

/** On a first overview: how an agent of one's own comes in, which is folded below the address for programs. */
export function openOwnSteps(page: Page): Promise<void> {
  return page.getByText("Or an agent of your own").click();
}

/** The same where signing up is not what it is about: the form is sent without a page. */
export async function newcomer(request: APIRequestContext, name: string): Promise<Person> {
  const { did, ...answers } = somebody(name);
  const form = formsIn(await (await request.get("/sign-up")).text()).find((one) =>
    one.includes('name="handle"'),
  );
  if (form === undefined) throw new Error("the page to sign up shows no form");
  const answer = await request.post("/sign-up", {
    headers: { Origin: DEMO_URL },
    multipart: filledIn(form, { ...answers, name }),
    maxRedirects: 0,
  });
  const { location } = answer.headers();
  if (location !== "/dashboard") throw new Error(`signing up answered ${answer.status()}`);
  return { did, ...answers };
}

/** On the page, whatever comes of it. */
export async function signIn(
  page: Page,
  { email, password }: Pick<Person, "email" | "password">,
): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** A memory that the owner who is signed in adds with a script. */
export async function addMemory(
  request: APIRequestContext,
  { did, ...data }: { did: Did; category: string; content: string },
): Promise<void> {
  const answer = await request.post(`/api/profiles/${did}/memories`, { data });
  if (answer.status() !== 201) throw new Error(`adding a memory answered ${answer.status()}`);
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
export async function refusal(input: Promise<unknown>): Promise<ProtocolError> {
  try {
    await input;
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error("this was not refused");
}
