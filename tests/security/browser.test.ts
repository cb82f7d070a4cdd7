import { createServer, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { createClient } from "@/lib/protocol/client";
import { inviteUser } from "@/lib/services/admin/users/links";
import { listen } from "@/server/listen";
import { giveQuestion } from "@/tests/support/connecting/question";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintAdmin, mintAgent, mintOwner } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { profilePath } from "@/tests/support/wire";
import { builtActions } from "./testing/actions";
import { digest } from "./testing/digest";
import { giveReviewing } from "./testing/reviewed";
import { addressWith, type Door, doors } from "./testing/tree";
import { mintWorld } from "./testing/world";

// What another site, or a link in a letter, can make the browser of somebody who is signed in do.
const engine = await testEngine();
const here = "http://gateway.example:8080";
const port = await freePort();
const gateway = startGateway({
  DATABASE_URL: engine.env.DATABASE_URL ?? "",
  PORT: `${port}`,
  PUBLIC_URL: here,
  PEER_LIMIT: "1000000",
  LIMIT_SESSION: "1000000",
  LOG_LEVEL: "warn",
  GITHUB_ID: "client",
  GITHUB_SECRET: "secret",
});
await addressOf(gateway);
engine.setNow(new Date());
const { owner, ids, cookie: Cookie } = await mintWorld(engine);
const { reviewerId } = await giveReviewing(engine, owner.userId);
const { question } = await giveQuestion(engine);
const admin = await mintAdmin(engine);
const admins = await signedInCookie(engine, admin);
const { token: link } = await inviteUser(admin.ctx, { email: "dan@example.com", role: "user" });

async function freePort(): Promise<number> {
  const server = createServer();
  const free = await listen(server, "127.0.0.1", 0);
  await new Promise((resolve) => server.close(resolve));
  return free;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** As a browser would, and with the headers that `fetch` lets nobody choose. */
async function send(path: string, { method = "GET", headers = {}, body }: Sent = {}) {
  const asking = request({
    ...{ host: "127.0.0.1", port, path, method, agent: false },
    headers: { Host: "gateway.example:8080", ...headers },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    asking.once("response", resolve).once("error", reject);
    asking.end(body);
  });
  const { statusCode: status = 0, headers: got } = response;
  return { status, headers: got, cookies: got["set-cookie"] ?? [], text: await text(response) };
}

const evil = "evil.example";
const elsewhere: Record<string, string>[] = [
  { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
  { Origin: "https://evil.example" },
  { Origin: "http://gateway.example:8080.evil.example" },
  { Origin: "http://gateway.example" },
  { Origin: "http://evil.gateway.example:8080", "Sec-Fetch-Site": "same-site" },
  { Origin: "null" },
  { Origin: "no address" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
  { "Sec-Fetch-Site": "none" },
  { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" },
  { Origin: "https://evil.example", Host: "evil.example" },
];
const ownSite = { Origin: here, "Sec-Fetch-Site": "same-origin" };
const call = (id: string, headers: Record<string, string>): Sent => ({
  method: "POST",
  headers: { "Next-Action": id, "Content-Type": "text/plain;charset=UTF-8", Cookie, ...headers },
  body: "[]",
});

// All that signing in begins, ends or goes on with.
const beginnings: [method: "GET" | "POST", path: string][] = [
  ...["signin", "signin/github", "signin/credentials", "signout"],
  ...["callback/github", "callback/credentials", "session", "error", "verify-request"],
].flatMap((path) => [
  ["POST", `/api/auth/${path}`],
  ["GET", `/api/auth/${path}`],
]);

let before = "";
beforeAll(async () => {
  before = await digest(engine.pool);
});

const everyAction = await builtActions();

describe("a page elsewhere that sends a form of ours", () => {
  test.each(everyAction)("$name: 403, with scripts and without", async ({ id, page }) => {
    const [headers = {}] = elsewhere;
    for (const cookie of [Cookie, admins]) {
      const { status } = await send(page, call(id, { ...headers, Cookie: cookie }));
      expect(status).toBe(403);
    }
    const field = `Content-Disposition: form-data; name="$ACTION_ID_${id}"`;
    const { status } = await send(page, {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=x", Cookie, ...headers },
      body: `--x\r\n${field}\r\n\r\n\r\n--x--\r\n`,
    });
    expect(status).toBe(403);
  });

  test.each(elsewhere)("by whatever name, whichever form: %j", async (headers) => {
    const answers = await Promise.all(
      everyAction.map(async ({ name, id, page }) => {
        const { status } = await send(page, call(id, headers));
        return [name, status];
      }),
    );
    expect(answers.filter(([, status]) => status !== 403)).toEqual([]);
  });

  test("imports nothing", async () => {
    for (const headers of elsewhere) {
      const answer = await send("/api/profile/import", {
        method: "POST",
        headers: { "Content-Type": "multipart/form-data; boundary=x", Cookie, ...headers },
        body: "--x--\r\n",
      });
      expect(answer.cookies.join()).toMatch(/gateway-imported=[^;]*false/);
    }
  });

  test("reads no file, no stream and no list", async () => {
    const did = encodeURIComponent(owner.did);
    const files = [
      "/api/profile/export",
      `/api/live?profile=${did}`,
      `/api/dashboard/matches?profile=${did}&id=prop_1`,
      "/dashboard/activity/export/json",
      `/api/profiles/${did}/export`,
    ];
    for (const path of files) {
      for (const site of ["cross-site", "same-site"]) {
        const { status } = await send(path, { headers: { Cookie, "Sec-Fetch-Site": site } });
        expect([path, site, status]).toEqual([path, site, 403]);
      }
    }
  });

  test.each(beginnings)("signs nobody in, out or elsewhere by %s %s", async (method, path) => {
    // Their browser was here before; of that cookie only the gateway can read the half that is a secret.
    const { cookies: given } = await send("/api/auth/csrf");
    const jar = [Cookie, ...given.map((line) => line.split(";")[0])].join("; ");
    const guess = new URLSearchParams({
      ...{ csrfToken: "guess", callbackUrl: `https://${evil}/`, json: "true" },
      ...{ email: "a@b.example", password: "guess", code: "stolen", state: "stolen" },
    }).toString();
    const from = (headers: Record<string, string>): Sent[] =>
      method === "GET"
        ? [{ headers: { Cookie: jar, ...headers } }]
        : ["application/x-www-form-urlencoded", "text/plain"].map((type) => ({
            ...{ method, headers: { "Content-Type": type, Cookie: jar, ...headers } },
            body: guess,
          }));
    const target = method === "GET" ? `${path}?${guess}` : path;
    const answers = await Promise.all(elsewhere.flatMap(from).map((input) => send(target, input)));
    for (const { status, cookies, headers } of answers) {
      expect(status).toBeLessThan(500);
      const others = cookies.filter((line) => !line.startsWith(`${Cookie};`));
      expect(others.join()).not.toMatch(/session|state=|pkce|evil/);
      expect(ownPlace(headers.location)).toBe(true);
    }
    expect((await send("/api/profiles", { headers: { Cookie } })).status).toBe(200);
  });

  test.each(["/api/auth/_log", "/api/auth/_log/x"])(
    "writes no line into the log by %s",
    async (path) => {
      const { status } = await send(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: '{"level":"error","code":"a word of theirs"}',
      });
      expect(status).toBe(404);
      expect(gateway.output()).not.toContain("a word of theirs");
    },
  );

  test("has changed nothing at all by then", async () => {
    expect(await digest(engine.pool)).toBe(before);
  });

  test("while one of ours does what it says", async () => {
    const { id = "" } = everyAction.find(({ name }) => name.startsWith("signOutAction")) ?? {};
    const leaving = await signedInCookie(engine, owner);
    const isIn = async () => (await send("/api/profiles", { headers: { Cookie: leaving } })).status;
    expect(await isIn()).toBe(200);
    const { headers } = await send("/dashboard", call(id, { ...ownSite, Cookie: leaving }));
    const [led = ""] = String(headers["x-action-redirect"]).split(";");
    expect(led).toMatch(/^\/sign-in\?from=sign-out/);
    expect((await send(led)).headers["clear-site-data"]).toBe(cleared);
    expect(await isIn()).toBe(401);
  });
});

const cleared = '"cache", "storage"';

describe("signing out clears the cache and storage of the browser", () => {
  const form = (id: string) => {
    const boundary = "x";
    const field = `Content-Disposition: form-data; name="$ACTION_ID_${id}"`;
    return {
      type: `multipart/form-data; boundary=${boundary}`,
      body: `--x\r\n${field}\r\n\r\n\r\n--x--\r\n`,
    };
  };

  test("by the button, before scripts run", async () => {
    const { id = "" } = everyAction.find(({ name }) => name.startsWith("signOutAction")) ?? {};
    const { type, body } = form(id);
    const left = await send("/dashboard", {
      method: "POST",
      headers: {
        ...{ "Content-Type": type, ...ownSite },
        Cookie: await signedInCookie(engine, owner),
      },
      body,
    });
    expect([left.status, left.headers.location]).toEqual([303, "/sign-in?from=sign-out"]);
    expect((await send("/sign-in?from=sign-out")).headers["clear-site-data"]).toBe(cleared);
  });

  test.each(["/sign-in?from=sign-out", "/sign-in?from=reset", "/goodbye"])(
    "at %s, where it ends, also for a script of the page",
    async (path) => {
      for (const headers of [{}, { RSC: "1" }] as Record<string, string>[]) {
        expect((await send(path, { headers })).headers["clear-site-data"]).toBe(cleared);
      }
    },
  );

  test("by next-auth", async () => {
    const { text: answer, cookies } = await send("/api/auth/csrf");
    const jar = cookies.map((line) => line.split(";")[0]).join("; ");
    const signOut = await send("/api/auth/signout", {
      method: "POST",
      headers: {
        ...{ "Content-Type": "application/x-www-form-urlencoded", ...ownSite },
        Cookie: `${jar}; ${await signedInCookie(engine, owner)}`,
      },
      body: new URLSearchParams({
        csrfToken: JSON.parse(answer).csrfToken,
        json: "true",
      }).toString(),
    });
    expect([signOut.status, signOut.headers["clear-site-data"]]).toEqual([200, cleared]);
  });

  test("and every other page leaves the browser what it has", async () => {
    for (const path of ["/sign-in", "/sign-in?from=x", "/api/auth/csrf", "/docs"]) {
      expect((await send(path)).headers["clear-site-data"]).toBeUndefined();
    }
  });
});

describe("a link that names another site", () => {
  const encoded = encodeURIComponent(`https://${evil}/`);
  test.each([
    `/sign-in?from=${encoded}`,
    `/sign-in?callbackUrl=${encoded}`,
    `/sign-in?error=${encoded}`,
    `/dashboard?next=${encoded}`,
    `/sign-in?back=${encoded}`,
    `/sign-up?back=${encoded}`,
    `/confirm?back=${encoded}`,
    `/confirm?back=${encodeURIComponent(`//${evil}/dashboard`)}`,
    `/confirm?back=${encodeURIComponent(`/dashboard@${evil}`)}`,
    `/confirm?back=${encodeURIComponent(`/\\${evil}/dashboard`)}`,
    `/api/auth/signin?callbackUrl=${encoded}`,
    `/api/auth/signout?callbackUrl=${encoded}`,
    `/api/auth/error?error=${encoded}`,
    `/api/auth/callback/github?callbackUrl=${encoded}`,
    `/dashboard/access?request=${encoded}`,
    `/admin/activity/export/${encoded}`,
    `/%2F%2F${evil}`,
    `/%5C%5C${evil}`,
    `//${evil}/dashboard`,
    `/\\${evil}`,
    `/.${evil}`,
    `/@${evil}`,
    `/dashboard/..//${evil}`,
    `/dashboard%0d%0aLocation:%20https://${evil}`,
  ])("%s leads nowhere else", async (path) => {
    for (const headers of [{}, { Cookie }] as Record<string, string>[]) {
      const { status, headers: got } = await send(path, { headers });
      expect(status).toBeLessThan(500);
      expect(ownPlace(got.location)).toBe(true);
    }
  });

  test("leads nowhere else after signing in or out by next-auth", async () => {
    const { text: answer, cookies } = await send("/api/auth/csrf");
    const { csrfToken } = JSON.parse(answer);
    const jar = cookies.map((line) => line.split(";")[0]).join("; ");
    for (const path of ["/api/auth/signout", "/api/auth/callback/credentials"]) {
      for (const callbackUrl of [`https://${evil}/`, `//${evil}`, `/\\${evil}`, "javascript:1"]) {
        const { headers, text: json } = await send(path, {
          method: "POST",
          headers: { "Content-Type": "application/x-www-form-urlencoded", Cookie: jar, ...ownSite },
          body: new URLSearchParams({ csrfToken, callbackUrl, json: "true" }).toString(),
        });
        expect(ownPlace(headers.location)).toBe(true);
        expect(ownPlace(/"url":"([^"]*)"/.exec(json)?.[1])).toBe(true);
      }
    }
  });
});

function ownPlace(location: string | undefined): boolean {
  return location === undefined || new URL(location, here).origin === here;
}

const pages = doors().filter(({ isPage }) => isPage);

function addressOfPage(page: Door): string {
  const shown = { ...ids, "users/id": owner.userId, "memories/id": ids.memoryId ?? "" };
  const named = {
    ...{ "agents/did": ids.agentDid ?? "", "policies/id": ids.policyId ?? "" },
    ...{ "agents/did/webhook": ids.runDid ?? "" },
    ...{ "...missing": "nothing", "connect/name": question, "ask/id": ids.requestId ?? "" },
    "reviewers/id": reviewerId,
  };
  return addressWith({ ...shown, ...named, token: link }, page);
}

function cookieFor({ address }: Door): string {
  return address.startsWith("/admin") ? admins : Cookie;
}

describe("a page elsewhere that shows one of ours within it", () => {
  // To a signed-in person, these show another.
  const leading = ["/", "/sign-in", "/sign-up", "/confirm", "/goodbye", "/dashboard/suspended"];
  const missing = "[...missing]";

  test.each(pages)("has no frame for $address as its owner sees it", async (page) => {
    const { status, headers } = await send(addressOfPage(page), {
      headers: { Cookie: cookieFor(page) },
    });
    const usual = page.address.endsWith(missing) ? 404 : 200;
    expect(status).toBe(leading.includes(page.address) ? 307 : usual);
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
  });
});

describe("a Host header that names another site", () => {
  const poison = {
    Host: evil,
    "X-Forwarded-Host": evil,
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Port": "444",
    Forwarded: `host=${evil}`,
    "X-Original-Host": evil,
  };

  test.each(pages)("is nowhere in $address", async (page) => {
    for (const as of [{}, { Cookie: cookieFor(page) }] as Record<string, string>[]) {
      const { headers, text: shown } = await send(addressOfPage(page), {
        headers: { ...poison, ...as },
      });
      expect(JSON.stringify(headers)).not.toContain(evil);
      expect(shown).not.toContain(evil);
    }
  });

  test("is in no answer to an agent, no link of an admin's, and not in openapi.json", async () => {
    const [agent, { did }] = [await mintAgent(engine), await mintOwner(engine)];
    const client = createClient({ did: agent.did, privateKey: agent.privateKey, baseUrl: here });
    const body = '{"scopes":["prof:health"],"purpose":{"type":"research"}}';
    const target = profilePath(did, "/access");
    const signed = await client.signedRequest({ method: "POST", target, body });
    const input = await send(target, {
      method: "POST",
      headers: { ...signed.headers, ...poison },
      body,
    });
    expect(input.text).toContain(`${here}/dashboard/access`);
    const invited = await send("/api/admin/invitations", {
      method: "POST",
      headers: { ...poison, Cookie: admins, "Content-Type": "application/json" },
      body: '{"email":"carol@example.com"}',
    });
    expect(invited.text).toContain(`${here}/link/`);
    const document = await send("/openapi.json", { headers: poison });
    for (const one of [input, invited, document]) expect(one.text).not.toContain(evil);
  });
});
