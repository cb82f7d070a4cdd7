import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright";
import { type Ask, apiOf, cookieOf, rootCookie, userIdOf } from "./admins";
import { rootSignIn } from "./demo";
import { filledIn, formsIn } from "./forms";
import { expect, test } from "./page-checks";
import { newcomer, registerAgent } from "./people";

// Every admin page and endpoint, taken from the files, for everybody who is no admin now.

const { DEMO_URL = "" } = process.env;
const canary = `canary${randomUUID().slice(0, 8)}`;

// An agent's name and operator, and addresses: nothing that stands in the address of a page.
const secrets = [canary];

interface Place {
  address: string;
  methods: string[];
}

let places: Place[] = [];
let outsiders: [who: string, cookie: string | null][] = [];
let canaryUser = "";

function filesBelow(folder: string, name: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === name)
    .map((file) => path.join(folder, file));
}

function placesIn(ids: Record<string, string>): Place[] {
  const filled = (template: string) => {
    const under = template.replace("/api", "").split("/")[2] ?? "";
    return template.replace(/[[{](\w+)[\]}]/g, (_all, name: string) => {
      const id = ids[`${under}/${name}`] ?? ids[name];
      if (id === undefined) throw new Error(`no example for ${name} of ${template}`);
      return encodeURIComponent(id);
    });
  };
  const files = [...filesBelow("app/admin", "page.tsx"), ...filesBelow("app/admin", "route.ts")];
  const pages = files
    .filter((file) => !file.includes("[..."))
    .map((file): Place => {
      const address = filled(path.dirname(file).replace(/^app/, ""));
      const text = readFileSync(file, "utf8");
      const methods = [...text.matchAll(/^export (?:const|async function) ([A-Z]+)\b/gm)];
      return {
        address,
        methods: methods.length === 0 ? ["GET"] : methods.map(([, one = ""]) => one),
      };
    });
  const tables = readdirSync("lib/http/api/admin").map((name) =>
    readFileSync(`lib/http/api/admin/${name}`, "utf8"),
  );
  const rows = [...tables.join().matchAll(/"([A-Z]+) (\/api\/admin\/[^"]*)"/g)];
  const endpoints = rows.map(
    ([, method = "", template = ""]): Place => ({ address: filled(template), methods: [method] }),
  );
  expect(endpoints.length).toBeGreaterThanOrEqual(30);
  return [...pages, ...endpoints];
}

async function signedIn(browser: Browser, name: string) {
  const context = await browser.newContext({ baseURL: DEMO_URL });
  const person = await newcomer(context.request, name);
  await context.close();
  return { ...person, cookie: await cookieOf(person) };
}

async function root(): Promise<Ask> {
  return apiOf(await rootCookie());
}

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  const ask = await root();
  const target = await signedIn(browser, "Tara");
  secrets.push(target.email, rootSignIn().email);
  const agent = await registerAgent({ name: canary, operator: canary });
  canaryUser = await userIdOf(ask, target.email);
  await ask("PUT", `/users/${canaryUser}/role`, { role: "admin" });
  await ask("PUT", `/users/${canaryUser}/role`, { role: "user" });
  const user = await signedIn(browser, "Una");
  const suspended = await signedIn(browser, "Sven");
  const demoted = await signedIn(browser, "Dora");
  const demotedId = await userIdOf(ask, demoted.email);
  await ask("POST", `/users/${await userIdOf(ask, suspended.email)}/suspend`);
  await ask("PUT", `/users/${demotedId}/role`, { role: "admin" });
  // An old session: one that an admin had, and used.
  expect((await apiOf(demoted.cookie)("GET", "/users")).status).toBe(200);
  await ask("PUT", `/users/${demotedId}/role`, { role: "user" });
  outsiders = [
    ["a stranger", null],
    ["a user", user.cookie],
    ["a suspended user", suspended.cookie],
    ["a demoted admin", demoted.cookie],
  ];
  places = placesIn({
    id: canaryUser,
    userId: canaryUser,
    "profiles/did": target.did,
    "agents/did": agent.did,
    agentDid: agent.did,
    keyId: "key_1",
    name: "SIGN_UP",
    changeId: "evt_1",
    format: "json",
  });
});

const tree = (address: string) => {
  const [, ...parts] = address.split("/");
  const leaf: unknown[] = ["__PAGE__", {}];
  const whole = parts.reduceRight<unknown[]>((child, part) => [part, { children: child }], leaf);
  return encodeURIComponent(JSON.stringify(["", { children: whole }, null, null, true]));
};

// As browsers ask for a page: whole, and as Next's own router does, with and without the layout.
function waysTo(address: string): [way: string, url: string, headers: Record<string, string>][] {
  const flight = `${address}?_rsc=1a2b3`;
  const state = { "Next-Router-State-Tree": tree("/admin") };
  return [
    ["whole", address, {}],
    ["RSC", flight, { RSC: "1" }],
    ["RSC without its address", address, { RSC: "1" }],
    ["RSC below the layout", flight, { RSC: "1", ...state }],
    ["RSC as if it were there", flight, { RSC: "1", "Next-Router-State-Tree": tree(address) }],
    ["a prefetch", flight, { RSC: "1", "Next-Router-Prefetch": "1" }],
    [
      "a segment",
      flight,
      { RSC: "1", "Next-Router-Prefetch": "1", "Next-Router-Segment-Prefetch": "/_tree" },
    ],
  ];
}

function expectNothing(text: string, where: string): void {
  for (const secret of secrets) {
    expect(text.includes(secret), `${where} tells ${secret}`).toBe(false);
  }
}

test("An admin finds what the others must not find", async () => {
  const cookie = await rootCookie();
  const telling: string[] = [];
  for (const { address, methods } of places) {
    if (!methods.includes("GET")) continue;
    const response = await fetch(`${DEMO_URL}${address}`, { headers: { Cookie: cookie } });
    expect([address, response.status]).toEqual([address, 200]);
    const text = await response.text();
    if (secrets.some((secret) => text.includes(secret))) telling.push(address);
  }
  expect(places.length).toBeGreaterThanOrEqual(40);
  expect(telling.length).toBeGreaterThanOrEqual(10);
});

test("Nobody else reads an admin page, in any way that Next.js serves it", async () => {
  test.setTimeout(240_000);
  const pages = places.filter(({ address }) => address.startsWith("/admin"));
  for (const [who, cookie] of outsiders) {
    for (const { address } of pages) {
      for (const [way, url, headers] of waysTo(address)) {
        const response = await fetch(`${DEMO_URL}${url}`, {
          redirect: "manual",
          headers: cookie === null ? headers : { ...headers, Cookie: cookie },
        });
        const where = `${address} to ${who}, ${way}`;
        expectNothing(await response.text(), where);
        if (way !== "whole") continue;
        const signedOut = who === "a stranger" || who === "a suspended user";
        expect([where, response.status]).toEqual([where, signedOut ? 307 : 404]);
        if (signedOut) expect(response.headers.get("location")).toContain("/sign-in");
      }
    }
  }
});

test("Nobody else is answered by an admin endpoint", async () => {
  const endpoints = places.filter(({ address }) => address.startsWith("/api/admin"));
  for (const [who, cookie] of outsiders) {
    for (const { address, methods } of endpoints) {
      for (const method of methods) {
        const response = await fetch(`${DEMO_URL}${address}`, {
          method,
          headers: {
            "Content-Type": "application/json",
            ...(cookie === null ? {} : { Cookie: cookie }),
          },
          body: method === "GET" ? undefined : "{}",
        });
        const where = `${method} ${address} to ${who}`;
        const signedOut = who === "a stranger" || who === "a suspended user";
        expect([where, response.status]).toEqual([where, signedOut ? 401 : 403]);
        expectNothing(await response.text(), where);
      }
    }
  }
});

test("Nobody else sends an admin's form, not even one taken from an admin's page", async () => {
  test.setTimeout(240_000);
  const ask = await root();
  const before = await adminLog(ask);
  let sent = 0;
  const cookie = await rootCookie();
  for (const { address } of places.filter((one) => one.address.startsWith("/admin"))) {
    const page = await fetch(`${DEMO_URL}${address}`, { headers: { Cookie: cookie } });
    const text = await page.text();
    const main = text.slice(text.indexOf("<main"));
    for (const form of formsIn(main)) {
      for (const [who, outsider] of outsiders) {
        const response = await fetch(`${DEMO_URL}${address}`, {
          method: "POST",
          redirect: "manual",
          headers: {
            Origin: DEMO_URL,
            ...(outsider === null ? {} : { Cookie: outsider }),
          },
          body: filledIn(form),
        });
        sent += 1;
        const where = `a form of ${address} from ${who}`;
        expectNothing(await response.text(), where);
        expect([where, response.status < 300]).toEqual([where, false]);
      }
    }
  }
  expect(sent).toBeGreaterThan(80);
  expect(await adminLog(ask)).toEqual(before);
});

// What admins did to the one whose pages these are.
async function adminLog(ask: Ask): Promise<string[]> {
  const { data } = await ask("GET", `/activity?subject=${canaryUser}`);
  const events: { id: string }[] = data;
  return events.map(({ id }) => id);
}
