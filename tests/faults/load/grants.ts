import { type Client, type Done, type Meant, marker, profileTarget } from "../client";
import { accessKey, categories, type Owner, type Signer } from "../world";
import { postForm } from "./forms";
import { sessionTarget } from "./review";

// An owner and one guest: access is asked for, granted, used, revoked, and tried again, over and over.

interface Pair {
  owner: Owner;
  guest: Signer;
}

export function granting(pair: Pair): (client: Client) => Promise<void> {
  return async (client) => {
    const act = client.random.pick([byConsent, byConsent, byToken]);
    await act(client, pair);
    await client.rest();
  };
}

async function byConsent(client: Client, pair: Pair): Promise<void> {
  const { owner, guest } = pair;
  const input = await askAccess(client, pair);
  const requestId = input.acknowledged.error?.details?.consentRequestId;
  if (requestId !== undefined) {
    await grant(client, pair, requestId);
    await askAccess(client, pair);
  }
  await read(client, pair);
  if (client.random.chance(0.5)) {
    await alongside(client, pair, () => revokeReceipts(client, pair));
  } else {
    const { did } = guest;
    await alongside(client, pair, async () => {
      await postForm(client, owner, {
        page: `/dashboard/agents/${encodeURIComponent(did)}`,
        has: "Remove access",
        says: "Access removed: its very next request",
        meant: { ...by(owner), verb: "revokeAgent", ends: keyOf(pair) },
      });
    });
  }
  await read(client, pair);
}

function askAccess(client: Client, pair: Pair): Promise<Done> {
  const body = { scopes: [categories.granted], purpose: { type: "personalization" } };
  return signedAsk(client, pair, {
    method: "POST",
    rest: "/access",
    body,
    meant: { verb: "requestAccess", begins: keyOf(pair) },
  });
}

async function grant(client: Client, { owner, guest }: Pair, requestId: string): Promise<void> {
  const target = sessionTarget(owner, `/consents/${requestId}`);
  const body = { scopes: [categories.granted], choice: "1d" };
  const meant = { ...by(owner), verb: "decideConsent", begins: keyOf({ owner, guest }) } as const;
  await client.ask(meant, client.signedIn(owner, "POST", target, body));
}

function read(client: Client, pair: Pair): Promise<Done> {
  return signedAsk(client, pair, {
    method: "GET",
    rest: `?scopes=${categories.granted}`,
    meant: { verb: "readProfile", under: keyOf(pair) },
  });
}

/** All that are active: of what the guest asked for again each time there is one. */
async function revokeReceipts(client: Client, pair: Pair): Promise<void> {
  const { owner } = pair;
  const target = sessionTarget(owner, "/receipts?state=active&limit=200");
  const listing = { ...by(owner), verb: "openPage" } as const;
  const { acknowledged } = await client.ask(listing, client.signedIn(owner, "GET", target));
  const receipts: { id: string }[] = Array.isArray(acknowledged.data) ? acknowledged.data : [];
  for (const [place, { id }] of receipts.entries()) {
    const ends = place === receipts.length - 1 ? keyOf(pair) : undefined;
    const meant = { ...by(owner), verb: "revokeReceipt", ends } as const;
    const { outcome } = await client.ask(
      meant,
      client.signedIn(owner, "DELETE", sessionTarget(owner, `/receipts/${id}`)),
    );
    // One that still stands would open what the last one's end is said to close.
    if (outcome.result !== "acknowledged") return;
  }
}

async function byToken(client: Client, pair: Pair): Promise<void> {
  const { owner, guest } = pair;
  const key = `${keyOf(pair)} by token`;
  const scopes = [categories.byToken];
  const body = { agentDid: guest.did, scopes, permissions: ["read", "propose"] };
  const issued = await client.ask(
    { ...by(owner), verb: "issueToken", begins: key },
    client.signedIn(owner, "POST", sessionTarget(owner, "/tokens"), body),
  );
  const { token, id } = issued.acknowledged.data ?? {};
  if (token === undefined || id === undefined) return;
  client.world.secrets.push(token);
  const use = () => tryToken(client, pair, { token, key });
  await use();
  const meant = { ...by(owner), verb: "revokeToken", ends: key } as const;
  const target = sessionTarget(owner, `/tokens/${id}`);
  await Promise.all([use(), client.ask(meant, client.signedIn(owner, "DELETE", target)), use()]);
  for (let again = 0; again < 3; again++) await use();
}

interface TokenUse {
  method: string;
  rest: string;
  meant: Pick<Meant, "verb" | "content" | "category">;
  body?: object;
}

/** For one of the things that it opens. */
async function tryToken(
  client: Client,
  { owner, guest }: Pair,
  held: { token: string; key: string },
) {
  const category = categories.byToken;
  const content = `${marker("said")} by token.`;
  const propose = { verb: "propose", content, category } as const;
  const { method, rest, meant, body } = client.random.pick<TokenUse>([
    { method: "GET", rest: `?scopes=${category}`, meant: { verb: "readProfile" } },
    { method: "GET", rest: `/memories?category=${category}`, meant: { verb: "listMemories" } },
    { method: "POST", rest: "/memories/propose", meant: propose, body: { content, category } },
  ]);
  const about = { caller: guest.did, profile: owner.did, under: held.key };
  const target = profileTarget(owner.did, rest);
  const headers = { Authorization: `Bearer ${held.token}`, "Content-Type": "application/json" };
  const outgoing = {
    method,
    target,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  const { proposalId } = (await client.ask({ ...about, ...meant }, outgoing)).outcome;
  if (proposalId !== undefined) client.board.pending.get(owner.did)?.push({ proposalId, content });
}

/** Reads go on while it happens: some before, some in the middle, some after. */
async function alongside(client: Client, pair: Pair, revoke: () => Promise<void>): Promise<void> {
  let isOver = false;
  const reading = async () => {
    while (!isOver) {
      await read(client, pair);
      await client.rest();
    }
  };
  const readings = reading();
  await revoke();
  isOver = true;
  await readings;
}

interface Asking {
  method: string;
  rest: string;
  body?: object;
  meant: { verb: "readProfile" | "requestAccess"; begins?: string; under?: string };
}

async function signedAsk(client: Client, { owner, guest }: Pair, asking: Asking): Promise<Done> {
  const target = profileTarget(owner.did, asking.rest);
  const { nonce, outgoing } = await client.sign(guest, asking.method, target, asking.body);
  const meant = { caller: guest.did, profile: owner.did, nonce, ...asking.meant };
  return client.ask(meant, outgoing);
}

function keyOf({ owner, guest }: Pair): string {
  return accessKey(guest.did, owner.did);
}

function by({ userId, did }: Owner): { caller: string; profile: string } {
  return { caller: userId, profile: did };
}
