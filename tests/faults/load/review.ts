import { type Client, marker, profileTarget } from "../client";
import type { Owner, Waiting } from "../world";
import { postForm } from "./forms";

// The page lists the newest first, and not many.
const decidedMax = 10;

/** An owner who decides what waits: signed in or by key, now and then with both answers at once. */
export function reviewer(owner: Owner): (client: Client) => Promise<void> {
  return async (client) => {
    const { random, board } = client;
    const waiting = board.pending.get(owner.did) ?? [];
    const next = waiting.shift();
    if (next === undefined) return client.rest();
    if (random.chance(0.05)) {
      const both = ["approve", "reject"] as const;
      await Promise.all(both.map((action, app) => decide(client, { owner, next, action, app })));
    } else {
      await decide(client, { owner, next, action: random.chance(0.7) ? "approve" : "reject" });
    }
    if (random.chance(0.03)) await lookAround(client, owner);
    await client.rest();
  };
}

interface Deciding {
  owner: Owner;
  next: Waiting;
  action: "approve" | "reject";
  app?: number;
}

async function decide(client: Client, { owner, next, action, app }: Deciding): Promise<void> {
  const { random, board } = client;
  const { proposalId } = next;
  const isEdited = action === "approve" && random.chance(0.1);
  const content = isEdited ? `${marker("said")} edited.` : undefined;
  const body = { action, ...(content === undefined ? {} : { editedContent: content }) };
  const about = { verb: "review", profile: owner.did, proposalId, action, content, app } as const;
  const path = `/proposals/${proposalId}/review`;
  let done: Awaited<ReturnType<Client["ask"]>>;
  if (random.chance(0.3)) {
    const target = profileTarget(owner.did, path);
    const { nonce, outgoing } = await client.sign(owner, "POST", target, body);
    done = await client.ask({ ...about, caller: owner.did, nonce }, outgoing);
  } else {
    const outgoing = client.signedIn(owner, "POST", sessionTarget(owner, path), body);
    done = await client.ask({ ...about, caller: owner.userId }, outgoing);
  }
  if (done.outcome.result === "acknowledged") {
    board.decided.unshift({ profile: owner.did, proposalId });
    board.decided.splice(decidedMax);
  }
  // Not heard whether it was decided: it is asked for again later.
  if (done.outcome.result === "unknown") board.pending.get(owner.did)?.push(next);
}

async function lookAround(client: Client, owner: Owner): Promise<void> {
  for (const status of ["pending", "decided"]) {
    const target = sessionTarget(owner, `/proposals?status=${status}&limit=20`);
    const meant = { verb: "listProposals", caller: owner.userId, profile: owner.did } as const;
    await client.ask(meant, client.signedIn(owner, "GET", target));
  }
}

/** An owner who changes their mind: the form that a decided proposal has in the dashboard. */
export async function reopener(client: Client): Promise<void> {
  const { board, world } = client;
  const decided = board.decided.shift();
  const owner = world.owners.find(({ did }) => did === decided?.profile);
  if (decided !== undefined && owner !== undefined) {
    const { proposalId } = decided;
    const done = await postForm(client, owner, {
      page: "/dashboard/proposals?tab=decided",
      has: `value="${proposalId}"`,
      says: "it waits in your inbox again",
      meant: { verb: "reopen", caller: owner.userId, profile: owner.did, proposalId },
    });
    if (done === "acknowledged" || done === "unknown") {
      board.pending.get(owner.did)?.push({ proposalId, content: "" });
    }
  }
  for (let pause = 0; pause < 5; pause++) await client.rest();
}

export function sessionTarget({ did }: Owner, rest: string): string {
  return `/api/profiles/${encodeURIComponent(did)}${rest}`;
}
