import { beforeAll, describe, expect, test } from "vitest";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintAdmin } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { findPages, type Loaded, type Visitor } from "../pages/find-pages";
import { type HeaviestAccount, mintHeaviestAccount } from "./testing/heaviest";
import { giveReviewing } from "./testing/reviewed";
import { giveRunAgent } from "./testing/run-agent";
import { addressWith, doors } from "./testing/tree";

// All pages share one thread: an account that filled its profile to the limits must not make one large.
const pageBytesMax = 300 * 1024;

const engine = await testEngine();
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    LIMIT_SESSION: "1000000",
  }),
);
engine.setNow(new Date());

let heaviest: HeaviestAccount;
let runDid: string;
let reviewerId: string;
const cookies = { dashboard: "", admin: "" };

beforeAll(async () => {
  heaviest = await mintHeaviestAccount(engine);
  const { userId } = heaviest.owner;
  ({ reviewerId } = await giveReviewing(engine, heaviest.owner.userId));
  ({ runDid } = await giveRunAgent(engine, { userId, messages: 500 }));
  cookies.dashboard = heaviest.cookie;
  cookies.admin = await signedInCookie(engine, await mintAdmin(engine));
});

describe.each(["dashboard", "admin"] as const)("the pages under /%s", (area) => {
  test("are at most 300 KB each for the heaviest account", async () => {
    const { visitor, loaded } = visitorOf(cookies[area]);
    const linked = await findPages(visitor, area);
    for (const address of pagesOf(area)) await visitor.load(address);
    expect(loaded.size).toBeGreaterThan(linked.length / 2);
    const wrong = [...loaded].filter(
      ([, { status, html }]) => status !== 200 || Buffer.byteLength(html) > pageBytesMax,
    );
    expect(wrong.map(([address, page]) => described(address, page))).toEqual([]);
  }, 240_000);
});

test.each([
  ["/dashboard/access/policies", /1 to 10 of \d{3}/],
  ["/dashboard/settings/values", /1 to \d+ of 500/],
  ["/dashboard/settings", /1 to \d+ of 800/],
  ["/dashboard/memories", /The first \d+ of 201</],
  ["/dashboard/connections", /and 48 more/],
  ["/dashboard/activity", /and 90 more/],
])("%s says how many there are", async (address, words) => {
  const { html } = await visitorOf(cookies.dashboard).visitor.load(address);
  expect(html.replaceAll("<!-- -->", "")).toMatch(words);
});

function described(address: string, { status, html }: Loaded): string {
  return `${address}: ${status}, ${Math.ceil(Buffer.byteLength(html) / 1024)} KB`;
}

/** Keeps what each page answered. */
function visitorOf(cookie: string): { visitor: Visitor; loaded: Map<string, Loaded> } {
  const loaded = new Map<string, Loaded>();
  async function load(address: string): Promise<Loaded> {
    const start = performance.now();
    const response = await fetch(new URL(address, gateway), { headers: { cookie } });
    const html = await response.text();
    const page = { status: response.status, html, ms: performance.now() - start };
    loaded.set(address, page);
    return page;
  }
  return { visitor: { load }, loaded };
}

function pagesOf(area: string): string[] {
  const { owner, agent, memoryId, policyId, requestId, question } = heaviest;
  const ids = {
    ...{
      "agents/did": agent.did,
      "agents/did/webhook": runDid,
      "profiles/did": owner.did,
      "users/id": owner.userId,
    },
    ...{ "memories/id": memoryId, "policies/id": policyId, requestId },
    ...{ "connect/name": question, "ask/id": requestId, "reviewers/id": reviewerId },
  };
  const pages = doors().filter(
    ({ isPage, address }) =>
      isPage && address.startsWith(`/${area}`) && !address.includes("[...missing]"),
  );
  return pages.map((door) => addressWith(ids, door));
}
