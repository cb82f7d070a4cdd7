import { beforeAll, describe, expect, inject, test } from "vitest";
import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import { ownerApi } from "@/lib/http/api/tables";
import { type Endpoint, endpoints } from "@/lib/protocol/endpoints";
import { ask } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { type Minted, mintAgent } from "@/tests/support/personas";
import { call, type Reply } from "@/tests/support/wire";
import { digest } from "./testing/digest";
import { idsOf, newcomer, type Pair, type Person, pairsOf } from "./testing/people";

// Users, each of whom tries everything that there is with the names and ids of every other.

const limits = ["PROFILE", "ACCESS", "PROPOSE", "REVIEW", "MEMORIES", "PROPOSALS", "SESSION"];
const engine = await testEngine({
  PEER_LIMIT: "1000000",
  ...Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, "1000000"])),
});

const people: Person[] = [];
let before: string;

beforeAll(async () => {
  const agent = await mintAgent(engine);
  for (let count = 0; count < inject("crowd"); count++) people.push(await newcomer(engine, agent));
  before = await digest(engine.pool);
});

const all: ApiEndpoint[] = Object.values(ownerApi);
const withDid = all.filter(({ path }) => path.includes("{did}"));
const withId = withDid.filter(({ path }) => /\{(?!did)\w+\}/.test(path));

describe("in the path of /api, the profile of another", () => {
  test.each(withDid.map((row) => [`${row.method} ${row.path}`, row] as const))(
    "%s: 404 PROF003",
    async (_name, row) => {
      await expectOf("404 PROF003", ({ one, other }) =>
        ask(row, { cookie: one.cookie, params: idsOf(other), body: exampleOf(row) }),
      );
    },
  );
});

// To a person who edits a rule that is not there, what they typed counts: they are told that it was removed.
const answers = new Map<ApiEndpoint, string>([[ownerApi.editPolicy, "400 PROF006"]]);

describe("in the path of /api, one's own profile and an id of another's", () => {
  test.each(
    withId.map((row) => {
      const answer = answers.get(row) ?? "404 PROF003";
      return [`${row.method} ${row.path}: ${answer}`, row, answer] as const;
    }),
  )("%s", async (_name, row, answer) => {
    await expectOf(answer, ({ one, other }) =>
      ask(row, {
        cookie: one.cookie,
        params: { ...idsOf(other), did: one.owner.did },
        body: exampleOf(row),
      }),
    );
  });

  test("in the body: of another's proposals none is decided", async () => {
    await expectOf("200", ({ one, other }) =>
      ask(ownerApi.reviewProposals, {
        cookie: one.cookie,
        params: idsOf(one),
        body: { action: "approve", proposalIds: [idsOf(other).proposalId] },
      }),
    );
  });
});

describe("in the path of the protocol, the profile of another", () => {
  const rows: Endpoint[] = Object.values(endpoints);
  const ofProfiles = rows
    .filter(({ path }) => path.includes("{did}"))
    .map((row) => [`${row.method} ${row.path}`, row] as const);

  test.each(ofProfiles)("with one's own key, %s: 403 PROF002", async (_name, row) => {
    await expectOf("403 PROF002", ({ one, other }) => sign(one.owner.client, row, idsOf(other)));
  });

  test.each(ofProfiles.filter(([, { credentials }]) => credentials.includes("token")))(
    "with a token of one's own, %s: 403 PROF002",
    async (_name, row) => {
      await expectOf("403 PROF002", ({ one, other }) => sign(one.token, row, idsOf(other)));
    },
  );

  test("under one's own, a proposal of another's cannot be reviewed: 404 PROF003", async () => {
    await expectOf("404 PROF003", ({ one, other }) =>
      sign(one.owner.client, endpoints.reviewProposal, { ...idsOf(other), did: one.owner.did }),
    );
  });
});

// Last: of all that was asked above.
test("nothing of anybody's has changed, and no log says more than that a stranger was refused", async () => {
  expect(await digest(engine.pool)).toBe(before);
  const events = await engine.db.accessEvent.groupBy({ by: ["actor", "outcome"], _count: true });
  for (const { actor, outcome } of events) {
    expect([`${actor} ${outcome}`]).toEqual([expect.stringMatching(/PROF00[236]$/)]);
  }
});

async function expectOf(expected: string, asking: (pair: Pair) => Promise<Reply>): Promise<void> {
  const faults: string[] = [];
  const waiting = pairsOf(people);
  const work = async () => {
    for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
      const { status, body } = await asking(pair);
      const answer = body.error === undefined ? `${status}` : `${status} ${body.error.code}`;
      if (answer !== expected) faults.push(answer);
      if (JSON.stringify(body).includes(pair.other.secret)) faults.push(`it tells of another's`);
    }
  };
  await Promise.all(Array.from({ length: 32 }, work));
  expect([...new Set(faults)]).toEqual([]);
}

function sign(client: Minted["client"], row: Endpoint, ids: Record<string, string>) {
  const target = row.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(ids[name] ?? ""),
  );
  const { method } = row;
  const body = row.body === null ? undefined : JSON.stringify(exampleOf(row));
  return call(client, { method, target, body });
}

function exampleOf({ body }: Pick<ApiEndpoint, "body">): unknown {
  const examples: unknown = body?.meta()?.examples;
  return Array.isArray(examples) ? examples[0] : undefined;
}
