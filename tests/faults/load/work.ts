import { type Client, marker, profileTarget, type Signed } from "../client";
import { categories, type Sent, type Signer } from "../world";

// Agents that may read and propose, and agents that may nothing.

const sentMax = 2_000;

export function worker(self: Signer): (client: Client) => Promise<void> {
  return async (client) => {
    const { random } = client;
    const owner = random.pick(client.world.owners);
    const act = random.pick([propose, propose, proposeTwice, read, listMemories, listProposals]);
    await act(client, { self, profile: owner.did });
    await client.rest();
  };
}

export function stranger(self: Signer): (client: Client) => Promise<void> {
  return async (client) => {
    const profile = client.random.pick(client.world.owners).did;
    const act = client.random.pick([read, listMemories, propose]);
    await act(client, { self, profile });
    await client.rest();
    await client.rest();
  };
}

interface Work {
  self: Signer;
  profile: string;
}

// Whatever a text may hold has to come back byte for byte.
const oddities = [
  " ",
  "é",
  "e\u0301",
  "漢字",
  "🦉",
  '"',
  "\\",
  "'; --",
  "\n",
  "\u200d",
  "%00",
  "</b>",
];

function newContent({ random }: Client): string {
  const tail = Array.from({ length: random.below(12) }, () => random.pick(oddities)).join("x");
  return `${marker("said")} likes${tail}.`;
}

async function propose(client: Client, work: Work): Promise<void> {
  const { content, signed } = await newProposal(client, work);
  await send(client, { work, content, signed });
}

/** The same bytes to both gateways at once. */
async function proposeTwice(client: Client, work: Work): Promise<void> {
  const { content, signed } = await newProposal(client, work);
  await Promise.all([0, 1].map((app) => send(client, { work, content, signed, app })));
}

async function newProposal(client: Client, { self, profile }: Work) {
  const content = newContent(client);
  const body = { content, category: categories.open, confidence: 0.5 };
  const target = profileTarget(profile, "/memories/propose");
  return { content, signed: await client.sign(self, "POST", target, body) };
}

interface Sending {
  work: Work;
  content: string;
  signed: Signed;
  app?: number;
}

async function send(client: Client, { work, content, signed, app }: Sending): Promise<void> {
  const { self, profile } = work;
  const { nonce, outgoing } = signed;
  const about = { verb: "propose", caller: self.did, profile, nonce } as const;
  const meant = { ...about, content, category: categories.open };
  keep(client, { signed: signed.signed, meant });
  const { outcome } = await client.ask({ ...meant, app }, outgoing);
  if (outcome.result !== "acknowledged" || outcome.proposalId === undefined) return;
  client.board.pending.get(profile)?.push({ proposalId: outcome.proposalId, content });
}

function keep({ board, random }: Client, sent: Sent): void {
  if (board.sent.length < sentMax) board.sent.push(sent);
  else board.sent[random.below(sentMax)] = sent;
}

function reading(verb: "readProfile" | "listMemories" | "listProposals", rest: string) {
  return async (client: Client, work: Work): Promise<void> => {
    const { self, profile } = work;
    const signed = await client.sign(self, "GET", profileTarget(profile, rest));
    const { nonce, outgoing } = signed;
    const meant = { verb, caller: self.did, profile, nonce };
    keep(client, { signed: signed.signed, meant });
    await client.ask(meant, outgoing);
  };
}

const read = reading("readProfile", "");
const listMemories = reading("listMemories", "/memories?limit=20");
const listProposals = reading("listProposals", "/proposals?limit=20");
