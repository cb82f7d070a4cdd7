import { beforeAll, describe, expect, test } from "vitest";
import type { Did } from "@/lib/protocol/did";
import { policyOf } from "@/lib/rules/testing/samples";
import { testEngine } from "@/tests/support/harness";
import { giveProposal, mintAgent, mintOwner, type Owner, signedIn } from "@/tests/support/personas";
import { seeAsAgent } from "./access/sight/lens";
import { previewRequest } from "./access/sight/preview";
import { reachOf } from "./access/sight/reach";
import { exportActivity } from "./activity/export-activity";
import { listProfileAgents } from "./agents/known/list-known";
import { exportProfile } from "./archive/export";
import type { Ctx } from "./context";
import { browseMemories } from "./memories/browse";
import { effectOfPolicies } from "./policies/effect";
import { listInbox } from "./proposals/inbox";
import { findResembling } from "./proposals/resembling";

const engine = await testEngine();
const change = { kind: "put", policy: policyOf({ allow: ["prof:interests"] }) } as const;
const requested = { purposeType: "support", retention: null, scopes: ["prof:interests"] };
let owner: Owner;
let other: Owner;
let agentDid: Did;
let proposalId: string;

beforeAll(async () => {
  owner = await mintOwner(engine);
  other = await mintOwner(engine);
  agentDid = (await mintAgent(engine)).did;
  const given = { profileId: owner.profileId, agentDid, content: "Likes tea." };
  proposalId = (await giveProposal(engine, given)).id;
});

type Read = (ctx: Ctx, did: string) => Promise<unknown>;

describe("of one account one runs at a time, and another account's does not wait for it:", () => {
  test.each<[string, Read]>([
    [
      "a search of memories",
      (ctx, did) =>
        browseMemories(ctx, { did, search: "tea", state: "live", sort: "newest", limit: 9 }),
    ],
    [
      "a search of the inbox",
      (ctx, did) => listInbox(ctx, { did, tab: "pending", search: "tea", limit: 9 }),
    ],
    [
      "what proposals resemble",
      (ctx, did) => findResembling(ctx, { did, proposalIds: [proposalId] }),
    ],
    ["the list of agents", (ctx, did) => listProfileAgents(ctx, { did, limit: 9 })],
    ["what every agent can do", (ctx, did) => reachOf(ctx, { did })],
    ["what an agent sees", (ctx, did) => seeAsAgent(ctx, { did, agentDid })],
    [
      "what a request would open",
      (ctx, did) => previewRequest(ctx, { did, request: { ...requested, agentDid } }),
    ],
    ["the preview of a rule", (ctx, did) => effectOfPolicies(ctx, { did, change })],
    ["a page of an export", (ctx, did) => firstOf(exportProfile(ctx, { did }))],
    [
      "a page of exported activity",
      (ctx, did) => firstOf(exportActivity(ctx, { did, format: "json" })),
    ],
  ])("%s", async (_title, read) => {
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const holder = engine.shares.heavy(owner.userId, () => held);
    let isDone = false;
    const own = read(signedIn(engine, owner), owner.did).then(() => {
      isDone = true;
    });
    await read(signedIn(engine, other), other.did);
    await read(signedIn(engine, other), other.did);
    expect(isDone).toBe(false);
    end();
    await Promise.all([holder, own]);
  });
});

/** Reads until the first list of rows has been asked for. */
async function firstOf(pieces: Promise<AsyncGenerator<unknown>>): Promise<void> {
  const reading = await pieces;
  for (let nth = 0; nth < 3; nth++) await reading.next();
  await reading.return(undefined);
}
