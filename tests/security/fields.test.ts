import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Registration } from "@/lib/auth/registration";
import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import { adminApi, ownerApi } from "@/lib/http/api/tables";
import { type Endpoint, endpoints } from "@/lib/protocol/endpoints";
import { answerOf, ask, signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { giveToken, mintAdmin, mintAgent, mintOwner } from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";
import { digest } from "./testing/digest";
import { exampleOf } from "./testing/example";
import { registerItself } from "./testing/register-itself";

// What stands in the fields of a request: operators where a text belongs, and texts that some language
// or other would act on.

const limits = ["PROFILE", "ACCESS", "PROPOSE", "REVIEW", "SESSION", "REGISTER"];
const engine = await testEngine({
  PEER_LIMIT: "1000000",
  AGENT_REGISTRATION: "approval",
  ...Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, "1000000"])),
});
const policies = [{}, { permissions: ["propose" as const] }];
const owner = await mintOwner(engine, { policies });
const agent = await mintAgent(engine);
const cookie = await signedInCookie(engine, owner);
const adminsCookie = await signedInCookie(engine, await mintAdmin(engine));
const { client: tokenClient } = await giveToken(engine, {
  owner,
  agent,
  permissions: ["read", "propose"],
});

const operators: unknown[] = [
  { $ne: null },
  { $gt: "" },
  { not: "" },
  { contains: "" },
  { startsWith: "" },
  { in: [] },
  { equals: null },
  { set: "x" },
  { path: ["x"], equals: "x" },
  { toString: "x" },
  { length: 1 },
  ["x"],
  [],
  true,
  0,
];

const ids: Record<string, string> = {
  ...{ did: owner.did, agentDid: agent.did, userId: owner.userId, name: "SIGN_UP" },
  ...{ proposalId: "prop_1", tokenId: "tok_1", requestId: "creq_1", receiptId: "rcpt_1" },
  ...{ memoryId: "mem_1", policyId: "pol_1", revisionId: "rev_1", keyId: "key_1" },
  changeId: "evt_1",
};

const forOwners: ApiEndpoint[] = Object.values(ownerApi);
const forAdmins: ApiEndpoint[] = Object.values(adminApi);
const forAgents: Endpoint[] = Object.values(endpoints);

type Failure = { code: string; details?: unknown };
type Send = (body: object) => Promise<{ status: number; body: { error?: Failure } }>;
type Case = [name: string, body: z.ZodType, send: Send];

const all: [string, z.ZodType | null, Send][] = [
  ...forOwners.map((row) => sessionCase(row, cookie)),
  ...forAdmins.map((row) => sessionCase(row, adminsCookie)),
  ...forAgents.map(protocolCase),
  [
    "POST /api/agents",
    Registration,
    (body) => registerItself(engine, (own) => ({ ...own, ...body })),
  ],
];
const cases = all.filter((one): one is Case => one[1] !== null);

function sessionCase(row: ApiEndpoint, as: string): [string, z.ZodType | null, Send] {
  const send: Send = (body) => ask(row, { cookie: as, params: ids, body });
  return [`${row.method} ${row.path}`, row.body, send];
}

function protocolCase(row: Endpoint): [string, z.ZodType | null, Send] {
  const isTokens = !row.credentials.includes("signature");
  const client = isTokens
    ? tokenClient
    : row.name === "reviewProposal"
      ? owner.client
      : agent.client;
  const target = row.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(ids[name] ?? ""),
  );
  const { method } = row;
  const send: Send = (body) => call(client, { method, target, body: JSON.stringify(body) });
  return [`${row.method} ${row.path}`, row.body, send];
}

const Schema = z.looseObject({
  type: z.string().optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
});
type Schema = z.output<typeof Schema>;

interface TextField {
  path: string[];
  isList: boolean;
  /** What else it takes. */
  types: (string | undefined)[];
}

/** The fields that take a text, or a list of them, at whichever depth they stand. */
function textFields(body: z.ZodType): TextField[] {
  const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  return fieldsBelow(Schema.parse(schema), []);
}

function fieldsBelow(schema: Schema, path: string[]): TextField[] {
  const kinds = schema.anyOf ?? [schema];
  const types = kinds.map(({ type }) => type);
  return kinds.flatMap(({ type, items, properties = {} }) => {
    const isList = type === "array" && items?.type === "string";
    const own = type === "string" || isList ? [{ path, isList, types }] : [];
    const below = Object.entries(properties);
    return [...own, ...below.flatMap(([name, member]) => fieldsBelow(member, [...path, name]))];
  });
}

function valuesFor({ isList, types }: TextField): unknown[] {
  // An empty list is one of a list's values.
  if (isList) return operators.filter((one) => !Array.isArray(one)).map((one) => [one]);
  return operators.filter((one) => !types.includes(Array.isArray(one) ? "array" : typeof one));
}

function changed(body: unknown, [name = "", ...rest]: string[], value: unknown): object {
  const before: object = typeof body === "object" && body !== null ? body : {};
  const member: unknown = Reflect.get(before, name);
  return { ...before, [name]: rest.length === 0 ? value : changed(member, rest, value) };
}

describe("an operator in the place of a text", () => {
  const withTexts = cases.filter(([, body]) => textFields(body).length > 0);

  test("is tried in every field that takes one, also within others", () => {
    const fields = withTexts.flatMap(([name, body]) =>
      textFields(body).map(({ path }) => `${name} ${path.join(".")}`),
    );
    expect(withTexts.length).toBeGreaterThan(15);
    expect(fields).toEqual(
      expect.arrayContaining([
        "POST /api/agents operator",
        "POST /prof/v1/profile/{did}/access purpose.description",
        "POST /api/profiles/{did}/policies expiresAt",
      ]),
    );
  });

  test.each(withTexts)(
    "%s: 400 PROF006 in each field, which it names, and nothing changes",
    async (_name, body, send) => {
      const before = await digest(engine.pool);
      const faults: string[] = [];
      for (const field of textFields(body)) {
        const path = field.path.join(".");
        for (const value of valuesFor(field)) {
          const reply = await send(changed(exampleOf(body), field.path, value));
          const { code, details } = reply.body.error ?? {};
          const isNamed = JSON.stringify(details ?? "").includes(`"body.${path}`);
          if (reply.status === 400 && code === "PROF006" && isNamed) continue;
          faults.push(`${path} ${JSON.stringify(value)}: ${reply.status} ${code} ${isNamed}`);
        }
      }
      expect(faults).toEqual([]);
      expect(await digest(engine.pool)).toBe(before);
    },
  );
});

describe("a text that some language would act on", () => {
  test.each([
    '\'; DROP TABLE "Memory"; --',
    "' OR '1'='1",
    "$1 || pg_sleep(10)",
    "\\'; SELECT 1; --",
    "{{constructor.constructor('return 1')()}}",
    `$\{7*7} #{7*7} <%= 7*7 %>`,
    "$(touch /tmp/x) `id` | cat /etc/passwd",
    "../../../../etc/passwd",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    '=HYPERLINK("https://evil.example")',
    "%s%n%x %00 \\u0000 &#0;",
    "first\r\nSet-Cookie: a=b\r\n\r\nsecond",
    "\u202egnihtemos \u200b\u2066",
    "__proto__",
    "Robert\u0301 ﷽ 👩‍👩‍👧‍👦",
  ])("is kept as it came, and does nothing: %j", async (content) => {
    const body = { content, category: "prof:interests", context: content };
    const target = profilePath(owner.did, "/memories/propose");
    const proposed = await call(agent.client, {
      method: "POST",
      target,
      body: JSON.stringify(body),
    });
    expect(proposed.status).toBe(201);
    const { proposalId } = z.object({ proposalId: z.string() }).parse(proposed.body.data);
    const row = await engine.db.proposal.findUniqueOrThrow({ where: { id: proposalId } });
    expect([row.content, row.context]).toEqual([content, content]);
    const params = { did: owner.did };
    const added = { content, category: "prof:interests" };
    const { data } = await answerOf(ownerApi.addMemory, { cookie, params, body: added });
    const { content: kept } = await engine.db.memory.findUniqueOrThrow({ where: { id: data.id } });
    expect(kept).toBe(content);
    const query = { search: content.slice(0, 100) };
    expect((await ask(ownerApi.listMemories, { cookie, params, query })).status).toBe(200);
  });
});
