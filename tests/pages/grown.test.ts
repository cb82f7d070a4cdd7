import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintAdmin, mintOwner } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { findPages, type Loaded, type Visitor } from "./find-pages";
import { growAround } from "./grown";

// Every page of the admins with years of data behind it; e2e/night/speed.spec.ts measures those of owners.

const medianMsMax = 300;
const scriptsKbMax = 200;
const loads = 15;

const engine = await testEngine({ LOG_LEVEL: "silent" });
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    LIMIT_SESSION: "1000000",
  }),
);
engine.setNow(new Date());
let cookie = "";

beforeAll(async () => {
  await growAround(engine.pool, await mintOwner(engine));
  cookie = await signedInCookie(engine, await mintAdmin(engine));
});

const searches = ["users", "profiles", "agents"].flatMap((list) =>
  ["example", "grown-77", "nothing-like-it"].map((search) => `/admin/${list}?search=${search}`),
);

test(`every page under /admin answers within ${medianMsMax} ms and loads at most ${scriptsKbMax} KB of scripts`, async () => {
  const visitor = visitorOf(cookie);
  const found = await findPages(visitor, "admin");
  expect(found.length).toBeGreaterThan(8);
  const breaches: string[] = [];
  for (const address of [...found, ...searches]) {
    const { status, html } = await visitor.load(address);
    if (status !== 200) breaches.push(`${address} answers ${status}`);
    const times = [];
    for (let turn = 0; turn < loads; turn++) times.push((await visitor.load(address)).ms);
    const median = times.sort((one, other) => one - other)[Math.floor(loads / 2)] ?? 0;
    if (median > medianMsMax) breaches.push(`${address} takes ${median.toFixed(0)} ms`);
    const scripts = await scriptsKb(html);
    if (scripts > scriptsKbMax) breaches.push(`${address} loads ${scripts.toFixed(0)} KB`);
  }
  expect(breaches).toEqual([]);
}, 600_000);

function visitorOf(cookie: string): Visitor {
  return {
    async load(address): Promise<Loaded> {
      const start = performance.now();
      const response = await fetch(new URL(address, gateway), { headers: { cookie } });
      const html = await response.text();
      return { status: response.status, html, ms: performance.now() - start };
    },
  };
}

const sizes = new Map<string, number>();

/** Returns the size, gzipped, of the scripts that a browser with modules fetches before the page works. */
async function scriptsKb(html: string): Promise<number> {
  const modern = html.replace(/<script[^>]*\bnomodule\b[^>]*>/gi, "");
  const names = [...modern.matchAll(/static\/chunks\/[\w./~()[\]%-]+?\.js/g)].map(([name]) => name);
  let bytes = 0;
  for (const name of new Set(names)) {
    const size = sizes.get(name) ?? gzipSync(await scriptText(name)).length;
    sizes.set(name, size);
    bytes += size;
  }
  return bytes / 1_024;
}

async function scriptText(name: string): Promise<string> {
  const response = await fetch(new URL(`/_next/${name}`, gateway));
  expect(response.status).toBe(200);
  return response.text();
}
