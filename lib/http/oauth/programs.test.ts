import { beforeEach, describe, expect, test } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import { holdingSlot } from "@/lib/engine/load/work-slots";
import { fetchPublicJson } from "@/lib/engine/outbound/public-fetch";
import { FetchRefused } from "@/lib/engine/outbound/public-request";
import { openRequestContext } from "@/lib/http/request-context";
import {
  authorizeAt,
  consent,
  nameOfQuestion,
  openConnectDoor,
  question,
  registerAt,
  tokenAt,
  toolAt,
  verifier,
} from "@/tests/support/connecting/clients";
import { realPrograms } from "@/tests/support/connecting/programs";
import { atStranger, startStranger } from "@/tests/support/connecting/stranger";
import { testEngine } from "@/tests/support/harness";
import { mintOwner, type Owner } from "@/tests/support/personas";
import { clientOf } from "./client-of";

const engine = await testEngine({ LIMIT_REGISTER: "1000", PEER_LIMIT: "100000" });
const issuer = await openConnectDoor(engine);

/** What is at which address; nothing at the others. */
let documents: Record<string, unknown> = {};
const served = () =>
  installEngine({
    ...engine,
    fetchJson: async (url) => {
      if (!Object.hasOwn(documents, url)) throw new FetchRefused("Its address answered 403.");
      return { text: JSON.stringify(documents[url]), maxAgeSeconds: 0 };
    },
  });

let owner: Owner;
beforeEach(async () => {
  documents = {};
  served();
  owner = await mintOwner(engine);
});

const each = realPrograms.flatMap((program) =>
  program.answeredAt.map((answeredAt) => [program.name, answeredAt, program] as const),
);

test.each(each)("%s gets through, answered at %s", async (_name, redirectUri, program) => {
  const { document, metadata, scope = null } = program;
  if (document !== undefined) documents[document] = { ...metadata, client_id: document };
  const clientId = document ?? (await registerAt(issuer, metadata));
  const asking = question(clientId, {
    redirect_uri: redirectUri,
    scope,
    resource: `${issuer}/mcp`,
  });
  const name = await nameOfQuestion(await authorizeAt(issuer, asking));
  const answer = await consent(engine, owner, { name, scopes: ["prof:preferences"] });
  expect(answer.get("iss")).toBe(issuer);
  const redeemed = await tokenAt(issuer, {
    grant_type: "authorization_code",
    code: answer.get("code") ?? "",
    ...{ client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier },
    resource: `${issuer}/mcp`,
  });
  const { access_token: token } = await redeemed.json();
  expect((await toolAt(issuer, { token, name: "read_profile" })).status).toBe(200);
});

describe("where its document cannot be read", () => {
  test.each(
    realPrograms
      .filter(({ name }) => ["Claude", "Claude Code", "ChatGPT"].includes(name))
      .map((program) => [program.name, program] as const),
  )("%s is known by a copy of it", async (_name, { document = "", answeredAt }) => {
    const redirect_uri = answeredAt[0] ?? "";
    const begun = await authorizeAt(issuer, question(document, { redirect_uri }));
    expect(await nameOfQuestion(begun)).toMatch(/^\w{43}$/);
  });

  test.each([
    "https://goose-docs.ai/oauth/other.json",
    "https://claude.ai/oauth/other",
    "https://claude.ai/oauth/claude-code-client-metadata?x=1",
  ])("%s is refused", async (id) => {
    const begun = await authorizeAt(
      issuer,
      question(id, { redirect_uri: "http://localhost/callback" }),
    );
    expect([begun.status, begun.headers.get("location")]).toEqual([400, null]);
    expect(await begun.text()).toContain("was not read");
  });

  test("what it says now counts, as soon as it can be read", async () => {
    const document = "https://claude.ai/oauth/claude-code-client-metadata";
    const redirect_uris = ["http://localhost/other"];
    documents[document] = { client_id: document, client_name: "Claude Code", redirect_uris };
    engine.setNow(new Date(engine.now().getTime() + 301_000));
    const at = (redirect_uri: string) => authorizeAt(issuer, question(document, { redirect_uri }));
    expect((await at("http://localhost/callback")).status).toBe(400);
    expect((await at("http://localhost:1/other")).status).toBe(303);
  });
});

describe("a document that is over", () => {
  const id = "https://iris.example/client.json";
  const redirect_uri = "http://localhost/cb";
  const ask = async () => (await authorizeAt(issuer, question(id, { redirect_uri }))).status;
  /** How many documents have been counted for this network. */
  const counted = async () => {
    const where = { caller_class: { caller: "peer:127.0.0.1", class: "document" } };
    const row = await engine.db.rateWindow.findUnique({ where });
    return (row?.hits ?? []).reduce((sum, hits) => sum + hits, 0);
  };
  let read: number;
  let underWay: number;
  let most: number;
  const answering = (wait: Promise<void>) =>
    installEngine({
      ...engine,
      async fetchJson() {
        read++;
        most = Math.max(most, ++underWay);
        await wait;
        underWay--;
        throw new FetchRefused("Its address answered 500.");
      },
    });

  beforeEach(async () => {
    documents[id] = { client_id: id, client_name: "Iris", redirect_uris: [redirect_uri] };
    await ask();
    engine.setNow(new Date(engine.now().getTime() + 301_000));
    [read, underWay, most] = [0, 0, 0];
  });

  test("is read again for one request of a network at a time, and keeps no place of others", async () => {
    let open = () => {};
    answering(
      new Promise((resolve) => {
        open = resolve;
      }),
    );
    const before = await counted();
    const together = [ask(), ask(), ask()];
    await expect.poll(counted).toBe(before + 3);
    let hasLeft = false;
    const leave = () => {
      hasLeft = true;
    };
    const elsewhere = holdingSlot(leave, () => clientOf(openRequestContext(new Headers()), id));
    const fourth = expect(elsewhere).rejects.toThrow("was not read");
    await expect.poll(() => hasLeft).toBe(true);
    expect(read).toBeLessThanOrEqual(2);
    open();
    expect(await Promise.all(together)).toEqual([400, 400, 400]);
    await fourth;
    expect([read, most]).toEqual([4, 2]);
  });

  test("is read sixty times an hour for one network", async () => {
    answering(Promise.resolve());
    const left = 60 - (await counted());
    for (let n = 0; n < left; n++) expect(await ask()).toBe(400);
    expect([await ask(), read]).toEqual([429, left]);
  });
});

describe("a document over the wire", async () => {
  const redirect_uris = ["http://localhost:4711/callback"];
  const contents: Record<string, (id: string) => unknown> = {
    "/good": (client_id) => ({ client_id, client_name: "Iris", redirect_uris }),
    "/lies": () => ({ client_id: "https://claude.ai/oauth/x", redirect_uris }),
    "/secret": (client_id) => ({ client_id, redirect_uris, client_secret: "x" }),
    "/none": (client_id) => ({ client_id }),
    "/large": (client_id) => ({ client_id, redirect_uris, more: "x".repeat(6_000) }),
    "/list": () => [],
  };
  const port = await startStranger((request, response) => {
    const made = contents[request.url ?? ""];
    if (made === undefined) return void response.writeHead(302, { Location: "/good" }).end();
    const body = JSON.stringify(made(`https://localhost:${port}${request.url}`));
    response.writeHead(200, { "Content-Type": "application/json" }).end(body);
  });
  const reading = (isAllowed?: () => boolean) =>
    installEngine({
      ...engine,
      fetchJson: (url, bounds) => fetchPublicJson(url, { ...bounds, ...atStranger, isAllowed }),
    });
  const statusOf = async (path: string) =>
    (await authorizeAt(issuer, question(`https://localhost:${port}${path}`))).status;

  test("is read, and its name is what the owner is shown", async () => {
    reading(() => true);
    expect(await statusOf("/good")).toBe(303);
    const { name } = await engine.db.client.findUniqueOrThrow({
      where: { id: `https://localhost:${port}/good` },
    });
    expect(name).toBe("Iris");
  });

  test.each(["/lies", "/secret", "/none", "/large", "/list", "/moved"])(
    "%s makes no client",
    async (path) => {
      reading(() => true);
      expect(await statusOf(path)).toBe(400);
      const id = `https://localhost:${port}${path}`;
      expect(await engine.db.client.count({ where: { id } })).toBe(0);
    },
  );

  test("on a private address is not read", async () => {
    reading();
    expect(await statusOf("/private")).toBe(400);
  });
});
