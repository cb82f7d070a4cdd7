import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import { adminApi, ownerApi } from "@/lib/http/api/tables";
import { type Endpoint, endpoints } from "@/lib/protocol/endpoints";
import { ask, signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import {
  giveMemory,
  givePolicy,
  giveProposal,
  giveToken,
  mintAdmin,
  mintAgent,
  mintOwner,
} from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { call, type Reply } from "@/tests/support/wire";
import { digest } from "./testing/digest";
import { type Door, doors } from "./testing/tree";

// What stands in the address of a request: operators and other texts that act somewhere, as a value or in the
// name of each member of a query, and in the place of each id of a path.

const limits = ["PROFILE", "ACCESS", "PROPOSE", "REVIEW", "MEMORIES", "PROPOSALS", "SESSION"];
const raised = Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, "1000000"]));
const engine = await testEngine({ PEER_LIMIT: "1000000", ...raised });
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    PEER_LIMIT: "1000000",
  }),
);
engine.setNow(new Date());
const owner = await mintOwner(engine, { policies: [{}, { permissions: ["propose"] }] });
const agent = await mintAgent(engine);
const cookie = await signedInCookie(engine, owner);
const admin = await mintAdmin(engine);
const admins = await signedInCookie(engine, admin);
const token = await giveToken(engine, { owner, agent, permissions: ["read", "propose"] });
const { profileId } = owner;
const memory = await giveMemory(engine, profileId);
const policy = await givePolicy(engine, profileId, { agentPattern: agent.did });
const proposal = await giveProposal(engine, { profileId, agentDid: agent.did });

const ids: Record<string, string> = {
  ...{ did: owner.did, agentDid: agent.did, userId: owner.userId, name: "SIGN_UP" },
  ...{ proposalId: proposal.id, tokenId: token.id, memoryId: memory.id, policyId: policy.id },
  ...{ requestId: "creq_1", receiptId: "rcpt_1", revisionId: "rev_1", keyId: "key_1" },
  changeId: "evt_1",
};

interface Address {
  params?: Record<string, string>;
  query?: [name: string, value: string][];
}
interface Row {
  name: string;
  path: string;
  query: string[];
  send: (address: Address) => Promise<Reply>;
}

const forOwners: ApiEndpoint[] = Object.values(ownerApi);
const forAdmins: ApiEndpoint[] = Object.values(adminApi);
const forAgents: Endpoint[] = Object.values(endpoints);
const rows = [
  ...forOwners.map((row) => sessionRow(row, cookie)),
  ...forAdmins.map((row) => sessionRow(row, admins)),
  ...forAgents.map(protocolRow),
];

function sessionRow(row: ApiEndpoint, as: string): Row {
  const { method, path: template, query } = row;
  const send = ({ params = ids, query: input = [] }: Address) =>
    ask(row, { cookie: as, params, query: input, body: exampleOf(row) });
  return { name: `${method} ${template}`, path: template, query: Object.keys(query.shape), send };
}

function protocolRow(row: Endpoint): Row {
  const { method, path: template, query, credentials, body } = row;
  const client = !credentials.includes("signature")
    ? token.client
    : row.name === "reviewProposal"
      ? owner.client
      : agent.client;
  const send = ({ params = ids, query: input = [] }: Address) => {
    const filled = template.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(params[name] ?? ""),
    );
    const target = input.length === 0 ? filled : `${filled}?${new URLSearchParams(input)}`;
    const sent = body === null ? undefined : JSON.stringify(exampleOf(row));
    return call(client, { method, target, body: sent });
  };
  return { name: `${method} ${template}`, path: template, query: Object.keys(query.shape), send };
}

function exampleOf({ body }: { body: ApiEndpoint["body"] }): unknown {
  const examples: unknown = body?.meta()?.examples;
  return Array.isArray(examples) ? examples[0] : undefined;
}

// None of them stands in anything that is stored, nor is a number.
const hostile = [
  ...['{"$ne":null}', "[$ne]", "[]", "null", "' OR '1'='1", "*", "%", "\\", "\0", "\uffff"],
  ...["__proto__", "constructor", "..", "a/b", "%2e%2e%2f", "\r\nX: y", "x".repeat(2_000)],
];

function hostileIds(name: string): string[] {
  const numbers = [".", "-1", "99999999999999999999"];
  return [...numbers, `${ids[name]}\0`, `${ids[name]}'--`, "did:prof:user:*:*"];
}

let before = "";
beforeAll(async () => {
  before = await digest(engine.pool);
});

describe("in the query of an endpoint", () => {
  const withQuery = rows.filter(({ query }) => query.length > 0);

  test("each member is tried, of each table", () => {
    const members = withQuery.flatMap(({ name, query }) => query.map((one) => `${name} ${one}`));
    expect(members).toEqual(
      expect.arrayContaining([
        "GET /prof/v1/profile/{did}/memories category",
        "GET /api/profiles/{did}/memories search",
        "GET /api/admin/users search",
      ]),
    );
  });

  test.each(withQuery)(
    "$name: a member that is an operator is 400 PROF006, which names it, or a text that finds nothing",
    async ({ query, send }) => {
      const faults = query.map(async (member) => {
        const replies = hostile.map(async (value) => {
          const reply = await send({ query: [[member, value]] });
          const isNothing = reply.status === 200 && JSON.stringify(reply.body.data) === "[]";
          return isNothing || isRefused(reply, member)
            ? []
            : [`${member}=${value}: ${summaryOf(reply)}`];
        });
        return (await Promise.all(replies)).flat();
      });
      expect((await Promise.all(faults)).flat()).toEqual([]);
    },
  );

  test.each(withQuery)("$name: a member that comes twice is refused", async ({ query, send }) => {
    const faults: string[] = [];
    for (const member of query) {
      const reply = await send({
        query: [
          [member, "1"],
          [member, "1"],
        ],
      });
      if (!isRefused(reply, member)) faults.push(`${member}: ${summaryOf(reply)}`);
    }
    expect(faults).toEqual([]);
  });

  test.each(withQuery)("$name: an operator in a name is no member", async ({ query, send }) => {
    const plain = shownBy(await send({}));
    for (const member of query) {
      for (const [start, end] of [
        ...[
          ["", "[$ne]"],
          ["", "[]"],
          ["", "\0"],
          ["__proto__[", "]"],
        ],
      ] as const) {
        const reply = await send({ query: [[`${start}${member}${end}`, ""]] });
        if (reply.status !== 400) expect(shownBy(reply)).toEqual(plain);
      }
    }
  });
});

function isRefused({ status, body: { error } }: Reply, member: string): boolean {
  const isNamed = JSON.stringify(error?.details ?? "").includes(`"query.${member}`);
  return status === 400 && error?.code === "PROF006" && isNamed;
}

function summaryOf({ status, body }: Reply): string {
  return `${status} ${JSON.stringify(body.error ?? body.data).slice(0, 200)}`;
}

// What differs from one answer to the next is when it was.
function shownBy({ status, body: { data } }: Reply): unknown {
  const text = JSON.stringify(data ?? null);
  return [status, text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "")];
}

describe("in the path of an endpoint, in the place of each id", () => {
  const withIds = rows.filter(({ path: template }) => template.includes("{"));

  test.each(withIds)("$name: 4xx in the envelope", async ({ path: template, send }) => {
    const faults = Array.from(template.matchAll(/\{(\w+)\}/g), async ([, name = ""]) => {
      const replies = [...hostile, ...hostileIds(name)].map(async (value) => {
        const reply = await send({ params: { ...ids, [name]: value } });
        const { success, error, meta } = reply.body;
        const isEnvelope =
          !success && /^PROF00\d$/.test(error?.code ?? "") && meta.requestId !== "";
        const isRefusal = reply.status >= 400 && reply.status < 500;
        return isRefusal && isEnvelope ? [] : [`${name} ${value}: ${summaryOf(reply)}`];
      });
      return (await Promise.all(replies)).flat();
    });
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });
});

// Their routers see what the front door lets through.
describe("in the address of a page or a file", () => {
  const opened = doors().filter(({ address, methods }) => {
    return methods.includes("GET") && !/^\/(api|prof|docs)(\/|$)/.test(address);
  });
  const pages = opened.map((door) => [door.address, door] as const);

  test.each(pages.filter(([address]) => address.includes("[")))(
    "%s: in the place of each id, no failure",
    async (_address, door) => {
      const encoded = [...hostile, agent.did, memory.id].map(encodeURIComponent);
      const sent = ["%0a", "%252F", "%E0%A4%A", "%", ...encoded];
      await expectNoFailure(
        door,
        sent.map((value) => door.address.replace(/\[\w+\]/, value)),
      );
    },
  );

  test.each(pages)("%s: in its query, no failure", async (address, door) => {
    const filled = address.replace(/\[(\w+)\]/g, (_all, name: string) =>
      encodeURIComponent(idIn(address, name)),
    );
    const queries = [
      ...['{"$ne":null}', "\0", "' OR '1'='1", "-271821-04-20T00:00:00.000Z~1"],
      ...["2026-02-30T00:00:00.000Z~99999999999999999999", "0.5~1", "0~-271821-04-20~x"],
    ].map((value) => new URLSearchParams(queryMembers.map((name) => [name, value])));
    const named = queryMembers.flatMap((name) => [
      ...[
        [`${name}[$ne]`, ""],
        [`${name}[]`, "x"],
        [name, "x"],
        [name, "y"],
      ],
    ]);
    await expectNoFailure(
      door,
      [...queries, new URLSearchParams(named)].map((query) => `${filled}?${query}`),
    );
  });
});

// What any page reads of its query: they are sent all at once.
const queryMembers = membersRead();

function membersRead(): string[] {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /^(dashboard|admin)\/.*\.tsx?$/.test(file));
  const texts = sources.map((file) => readFileSync(path.join("app", file), "utf8")).join("\n");
  const found = [
    ...texts.matchAll(/\b(?:query\.|single\()(\w+)/g),
    ...texts.matchAll(/\b(\w+): (?:param|choice|words|place)\b/g),
  ].map(([, name = ""]) => name);
  return [...new Set(found)];
}

function idIn(address: string, name: string): string {
  if (name === "did" && address.includes("/agents/")) return agent.did;
  if (name === "id" && address.includes("/users/")) return owner.userId;
  if (name === "id") return address.includes("/policies/") ? policy.id : memory.id;
  return name === "format" ? "json" : (ids[name] ?? "x");
}

async function expectNoFailure(door: Door, targets: string[]): Promise<void> {
  const as = door.address.startsWith("/admin") ? admins : cookie;
  const faults: string[] = [];
  const tryOne = async (target: string) => {
    const to = { headers: { Cookie: as }, redirect: "manual" } as const;
    const response = await fetch(gateway + target, to);
    await response.arrayBuffer();
    if (response.status >= 500) faults.push(`${target.slice(0, 300)}: ${response.status}`);
  };
  // An account has two exports at once.
  const atOnce = door.address.includes("/export/") ? 2 : targets.length;
  for (let from = 0; from < targets.length; from += atOnce) {
    await Promise.all(targets.slice(from, from + atOnce).map(tryOne));
  }
  expect(faults).toEqual([]);
}

// Last: of all that was asked above.
test("nothing of it has changed anything", async () => {
  expect(await digest(engine.pool)).toBe(before);
});
