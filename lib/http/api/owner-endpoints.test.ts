import { describe, expect, test } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import { adminApi, ownerApi } from "@/lib/http/api/tables";
import { peerHeader, peerHeaderValue } from "@/lib/http/peer";
import { ask, type Sent, send, signedInCookie } from "@/tests/support/dashboard-api";
import { configured, testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, mintOwner } from "@/tests/support/personas";
import type { Reply } from "@/tests/support/wire";

// What holds for every row of the table, whatever it does.
const engine = await testEngine();
const all: ApiEndpoint[] = Object.values(ownerApi);
const changes = all.filter(({ method }) => method !== "GET");
const ofProfiles = all.filter(({ path: template }) => template.includes("{did}"));

const ids: Record<string, string> = {
  proposalId: "prop_1",
  tokenId: "tok_1",
  requestId: "creq_1",
  receiptId: "rcpt_1",
  memoryId: "mem_1",
  policyId: "pol_1",
  revisionId: "rev_1",
};

async function alice() {
  const owner = await mintOwner(engine);
  const cookie = await signedInCookie(engine, owner);
  return { owner, cookie, params: { ...ids, did: owner.did } };
}

function codeOf({ status, body }: Reply) {
  return [status, body.error?.code];
}

test("no two rows have the same place", () => {
  const places = [...Object.values(ownerApi), ...Object.values(adminApi)].map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(new Set(places).size).toBe(places.length);
});

describe.each(all.map((row) => [`${row.method} ${row.path}`, row] as const))("%s", (_at, row) => {
  test("401 PROF001 without a session, with one that has ended, and with two at once", async () => {
    const { owner, cookie, params } = await alice();
    const other = await signedInCookie(engine, await mintOwner(engine));
    const bad = [undefined, "gateway-session=gone", "gateway-session=", `${cookie}; ${other}`];
    for (const sent of bad) {
      const reply = await ask(row, { cookie: sent, params });
      expect(codeOf(reply)).toEqual([401, "PROF001"]);
      expect(reply.headers.get("WWW-Authenticate")).toBe('Cookie form-action="/sign-in"');
    }
    expect(await eventsOf(engine, owner.profileId)).toEqual([]);
  });

  test("401 PROF001 for an agent's signature or a token: they are for the protocol", async () => {
    const { params } = await alice();
    const headers = { Authorization: `Bearer profct_${"a".repeat(49)}` };
    expect(codeOf(await ask(row, { params, headers }))).toEqual([401, "PROF001"]);
  });

  test("403 PROF002 when another site made the request, cookie or not", async () => {
    const { owner, cookie, params } = await alice();
    for (const headers of foreign) {
      const reply = await ask(row, { cookie, params, headers });
      expect([headers, ...codeOf(reply)]).toEqual([headers, 403, "PROF002"]);
    }
    expect(await eventsOf(engine, owner.profileId)).toEqual([]);
  });

  test("no answer is kept by anybody, and none is open to other origins", async () => {
    const { cookie, params } = await alice();
    const { headers } = await send(row, { cookie, params });
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});

const foreign: Record<string, string>[] = [
  { Origin: "https://evil.test" },
  { Origin: "http://gateway.test.evil.test" },
  { Origin: "http://gateway.test:8080" },
  { Origin: "file://gateway.test" },
  { Origin: "null" },
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
  { Origin: "http://gateway.test", "Sec-Fetch-Site": "cross-site" },
];

describe.each(ofProfiles.map((row) => [`${row.method} ${row.path}`, row] as const))(
  "%s",
  (_at, row) => {
    test("404 PROF003 for somebody else's profile as for none, and nobody's log is touched", async () => {
      const { cookie } = await alice();
      const bob = await mintOwner(engine);
      for (const did of [bob.did, "did:prof:user:local:nobody", "did:prof:x"]) {
        const sent: Sent = { cookie, params: { ...ids, did }, body: exampleOf(row) };
        expect([did, ...codeOf(await ask(row, sent))]).toEqual([did, 404, "PROF003"]);
      }
      expect(await eventsOf(engine, bob.profileId)).toEqual([]);
    });
  },
);

describe.each(changes.map((row) => [`${row.method} ${row.path}`, row] as const))(
  "%s",
  (_at, row) => {
    test("400 PROF006 unless it says that it is JSON, with a body or without", async () => {
      const { owner, cookie, params } = await alice();
      const types = [
        null,
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
      ];
      for (const type of types) {
        const sent = {
          cookie,
          params,
          body: exampleOf(row),
          headers: { "Content-Type": type ?? "" },
        };
        const reply = await ask(row, sent);
        expect(codeOf(reply)).toEqual([400, "PROF006"]);
        expect(reply.body.error?.details?.issues).toMatchObject([{ path: "headers.Content-Type" }]);
      }
      expect(await eventsOf(engine, owner.profileId)).toEqual([]);
    });

    test("403 PROF002 when a page made it that nobody here typed the address of", async () => {
      const { cookie, params } = await alice();
      const headers = { "Sec-Fetch-Site": "none" };
      expect(codeOf(await ask(row, { cookie, params, headers }))).toEqual([403, "PROF002"]);
    });
  },
);

describe.each(changes.filter(({ body }) => body !== null))("$method $path", (row) => {
  test.each([
    ["no JSON", "{"],
    ["a member twice", '{"a":1,"a":2}'],
    ["a prototype", '{"__proto__":{}}'],
    ["a list", "[]"],
    ["more than 64 KiB", JSON.stringify({ label: "n".repeat(65_536) })],
  ])("400 PROF006: %s", async (_what, body) => {
    const { cookie, params } = await alice();
    expect(codeOf(await ask(row, { cookie, params, body }))).toEqual([400, "PROF006"]);
  });
});

describe("the gateway's address", () => {
  const row = ownerApi.listProfiles;

  test.each([
    ["https://gateway.example", 200],
    ["https://other.example", 200],
    ["http://gateway.example", 403],
    ["http://gateway.test", 403],
  ])("with PUBLIC_URL set, the origin %s is %i", async (Origin, status) => {
    const PUBLIC_URL = ["https://gateway.example", "https://other.example"];
    installEngine({ ...engine, env: { ...engine.env, PUBLIC_URL } });
    const cookie = (await alice()).cookie.replace("gateway", "__Host-gateway");
    expect((await ask(row, { cookie, headers: { Origin } })).status).toBe(status);
    installEngine(engine);
  });

  test.each(["http://gateway.test", "https://gateway.test"])(
    "without it, %s is what the request was sent to",
    async (Origin) => {
      const { cookie } = await alice();
      expect((await ask(row, { cookie, headers: { Origin } })).status).toBe(200);
    },
  );

  test("a page of ours, and an address that somebody typed, may read", async () => {
    const { cookie } = await alice();
    for (const site of ["same-origin", "none"]) {
      const headers = { "Sec-Fetch-Site": site };
      expect((await ask(row, { cookie, headers })).status).toBe(200);
    }
  });
});

describe("429 PROF005", () => {
  const row = ownerApi.listProfiles;

  test("LIMIT_SESSION an hour and user, over all endpoints and sessions of theirs", async () => {
    installEngine(configured(engine, { LIMIT_SESSION: 3 }));
    const { owner, cookie, params } = await alice();
    const again = await signedInCookie(engine, owner);
    const statuses = [
      await ask(row, { cookie }),
      await ask(ownerApi.listTokens, { cookie, params }),
      await ask(row, { cookie: again }),
      await ask(row, { cookie: again }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await ask(row, { cookie: (await alice()).cookie })).status).toBe(200);
    installEngine(engine);
  });

  test("guessing sessions is counted for the address it comes from", async () => {
    const address = "203.0.113.40";
    const headers = { [peerHeader]: peerHeaderValue(address) };
    await ask(row, { cookie: "gateway-session=guess", headers });
    const { limit, remaining } = engine.peerGuard.standing(address, testNow);
    expect(remaining).toBe(limit - 1);
    for (let count = 0; count < limit; count++) engine.peerGuard.charge(address, testNow);
    expect(codeOf(await ask(row, { headers }))).toEqual([429, "PROF005"]);
  });
});

test("A session that was ended elsewhere, or whose user was suspended, is none", async () => {
  const row = ownerApi.listProfiles;
  const [one, other] = [await alice(), await alice()];
  await engine.db.session.deleteMany({ where: { userId: one.owner.userId } });
  await engine.db.user.update({
    where: { id: other.owner.userId },
    data: { state: "suspended" },
  });
  for (const { cookie } of [one, other]) {
    expect(codeOf(await ask(row, { cookie }))).toEqual([401, "PROF001"]);
  }
});

// Bodies that pass, so that what refuses is not the body.
function exampleOf({ body }: ApiEndpoint): unknown {
  if (body === null) return undefined;
  const examples: unknown = body.meta()?.examples;
  return Array.isArray(examples) ? examples[0] : {};
}
