import { expect, test } from "vitest";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintOwner } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";

const limit = 3;
const engine = await testEngine();
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    LIMIT_SESSION: String(limit),
  }),
);
engine.setNow(new Date());

async function newcomer(): Promise<{ cookie: string }> {
  return { cookie: await signedInCookie(engine, await mintOwner(engine)) };
}

function view(headers: Record<string, string>, page = "/dashboard/settings/keys") {
  return fetch(gateway + page, { headers, redirect: "manual" });
}

async function statuses(count: number, headers: Record<string, string>): Promise<number[]> {
  const found: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const response = await view(headers);
    await response.text();
    found.push(response.status);
  }
  return found;
}

test("answers views beyond the limit with a plain page that says when to come back", async () => {
  const headers = await newcomer();
  expect(await statuses(limit, headers)).toEqual([200, 200, 200]);
  const refused = await view(headers);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.text()).toMatch(/^The limit of 3 .* Try again in \d+ seconds\.\n$/);
});

test("counts views apart from requests of scripts, and each user for themselves", async () => {
  const headers = await newcomer();
  await statuses(limit + 1, headers);
  const script = await fetch(`${gateway}/api/profiles`, { headers });
  expect(script.status).toBe(200);
  expect(await statuses(1, await newcomer())).toEqual([200]);
});

test("neither renders nor counts a page that Next.js prefetches", async () => {
  const headers = await newcomer();
  const fetched = { ...headers, rsc: "1", "next-router-prefetch": "1" };
  await statuses(limit + 1, fetched);
  expect(await (await view(fetched)).text()).not.toContain("Add a key");
  const opened = await view(headers);
  expect(opened.status).toBe(200);
  expect(await opened.text()).toContain("Add a key");
});

test.each<Record<string, string>>([
  { "x-gateway-prefetch": "1" },
  { "next-router-prefetch": "1" },
  { rsc: "1" },
  { rsc: "1", "next-router-prefetch": "2" },
  { rsc: "0", "next-router-prefetch": "1" },
  { purpose: "prefetch" },
])("counts a view that is sent with %j", async (pretended) => {
  const headers = await newcomer();
  await statuses(limit, { ...headers, ...pretended });
  expect(await statuses(1, headers)).toEqual([429]);
});

test("takes a large form of nobody who is not signed in, and counts it before it is read", async () => {
  const body = new FormData();
  body.set("x", "x".repeat(20 * 1024));
  const send = async (headers: Record<string, string>) => {
    const sent = { ...headers, origin: gateway, rsc: "1", "next-router-prefetch": "1" };
    const response = await fetch(`${gateway}/dashboard/memories`, {
      ...{ method: "POST", headers: sent, body, redirect: "manual" },
    });
    await response.text();
    return response.status;
  };
  expect(await send({})).toBe(401);
  const headers = await newcomer();
  for (let turn = 0; turn < limit; turn++) expect(await send(headers)).not.toBe(429);
  expect(await send(headers)).toBe(429);
});

test.each<Record<string, string>>([
  {},
  { "content-type": "text/plain" },
  { "content-type": "application/x-www-form-urlencoded" },
])("counts a page that is rendered for a form that is none, sent with %j", async (type) => {
  const headers = await newcomer();
  const send = async () => {
    const sent = { ...headers, ...type, origin: gateway };
    const response = await fetch(`${gateway}/dashboard/memories`, {
      method: "POST",
      headers: sent,
    });
    await response.text();
    return response.status;
  };
  for (let turn = 0; turn < limit; turn++) await send();
  expect(await send()).toBe(429);
});
