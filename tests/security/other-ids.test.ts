import { beforeAll, describe, expect, inject, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine } from "@/tests/support/harness";
import { giveEvent, giveToken, type Minted, mintAgent } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { type Fields, filledIn, ownersForms } from "./cases/forms";
import { type Action, actionNamed, callAction, type Field, formSent } from "./testing/actions";
import { digest } from "./testing/digest";
import { idsOf, newcomer, type Pair, type Person, pairsOf } from "./testing/people";

// Twenty users, who try the profiles and ids of others where no path names a profile. What the dashboard's scripts
// read they try of every other. With forms, pages and files, which take longer, each tries one other or a few: of
// ids in forms and of pages others each time, so that all pairs come up.

const engine = await testEngine();
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    PEER_LIMIT: "1000000",
    LIMIT_SESSION: "1000000",
  }),
);
engine.setNow(new Date());

const peopleCount = inject("crowd");
const people: Person[] = [];
let before = "";

beforeAll(async () => {
  const agent = await mintAgent(engine);
  for (let count = 0; count < peopleCount; count++) {
    const person = await newcomer(engine, agent);
    people.push({ ...person, ids: { ...person.ids, ...(await undoable(person, agent)) } });
  }
  before = await digest(engine.pool);
});

// Of moments ago: a token that was revoked, and a change of template.
async function undoable({ owner }: Person, agent: Minted): Promise<Fields> {
  const revokedAt = engine.now();
  const { id: tokenId } = await giveToken(engine, { owner, agent, revokedAt });
  const by = { profileId: owner.profileId, actor: "owner", actorId: owner.userId } as const;
  const detail = { agentDid: agent.did, ended: { tokens: [tokenId] } };
  const { id: eventId } = await giveEvent(engine, { ...by, verb: "revokeToken", detail });
  const changeId = newId("req");
  const applied = { template: "open", added: [], removed: [] };
  await giveEvent(engine, { ...by, verb: "editPolicies", requestId: changeId, detail: applied });
  return { eventId, changeId };
}

/** So many people at once, and each with one other after the next. */
async function expectOfEach(
  pairs: Pair[],
  asking: (pair: Pair) => Promise<{ text: string; fault: string | null }>,
  atOnce = people.length,
): Promise<void> {
  const faults: string[] = [];
  const work = async (one: Person) => {
    for (const pair of pairs.filter((each) => each.one === one)) {
      const { text, fault } = await asking(pair);
      if (fault !== null) faults.push(fault);
      if (text.includes(pair.other.secret)) faults.push("it tells of another's");
    }
  };
  for (let from = 0; from < people.length; from += atOnce) {
    await Promise.all(people.slice(from, from + atOnce).map(work));
  }
  expect([...new Set(faults)]).toEqual([]);
}

async function get(target: string, { cookie }: Person, also = "") {
  const headers = { Cookie: cookie + also };
  const response = await fetch(gateway + target, { headers, redirect: "manual" });
  return { status: response.status, text: await response.text() };
}

/** Each with the one so many places on: where every pair would take minutes. */
function pairsApart(distance: number): Pair[] {
  return people.map((one, at) => ({ one, other: people[(at + distance) % people.length] ?? one }));
}

const distances = Array.from({ length: peopleCount - 1 }, (_, at) => at + 1);

/** Each case so many times, each time with another distance, until all have come up. */
function apart<T extends readonly unknown[]>(cases: readonly T[], turns: number) {
  return cases.flatMap((each, at) =>
    Array.from({ length: turns }, (_, turn) => {
      const distance = distances[(at * turns + turn) % distances.length] ?? 1;
      return [...each, distance] as const;
    }),
  );
}

const is = (wanted: number, { status, text }: { status: number; text: string }) => ({
  text,
  fault: status === wanted ? null : `${status} ${text.slice(0, 200)}`,
});

describe("requests of the dashboard's scripts", () => {
  test.each([
    "/api/live?profile={did}",
    "/api/dashboard/matches?profile={did}&id={proposalId}",
    "/api/profile/export?profile={did}",
  ])("%s of another's: 404", async (template) => {
    await expectOfEach(pairsOf(people), async ({ one, other }) =>
      is(404, await get(targetOf(template, other), one)),
    );
  });

  test("resemblances of other users' proposals are never shown", async () => {
    const target = "/api/dashboard/matches?profile={own}&id={proposalId}";
    await expectOfEach(pairsOf(people), async ({ one, other }) => {
      const answer = await get(targetOf(target, other, { own: one.owner.did }), one);
      const isNothing = answer.text.includes(`"data":{}`);
      return { ...is(200, answer), ...(isNothing ? {} : { fault: answer.text }) };
    });
  });

  test("an export is of one's own profile, whatever the browser says was chosen", async () => {
    await expectOfEach(pairsApart(1), async ({ one, other }) => {
      const chosen = `; gateway-profile=${encodeURIComponent(other.owner.did)}`;
      const answer = await get("/api/profile/export", one, chosen);
      return {
        ...is(200, answer),
        ...(answer.text.includes(one.secret) ? {} : { fault: "not own" }),
      };
    });
  });

  test("nothing is imported into the profile of another", async () => {
    const archives = new Map<Person, string>();
    for (const one of people) archives.set(one, (await get("/api/profile/export", one)).text);
    const importing = async ({ one, other }: Pair) => {
      const body = new FormData();
      body.set("profile", other.owner.did);
      body.set("file", new File([archives.get(one) ?? ""], "profile.json"));
      const headers = { Cookie: one.cookie, Origin: gateway };
      const to = { method: "POST", redirect: "manual", headers, body } as const;
      const response = await fetch(`${gateway}/api/profile/import`, to);
      const noticeOf = decodeURIComponent(response.headers.getSetCookie().join());
      const isRefused = noticeOf.includes("There is no such profile here.");
      return { text: noticeOf, fault: isRefused ? null : `${response.status} ${noticeOf}` };
    };
    // Two are read and eight wait; more would be told to come back.
    await expectOfEach(pairsApart(1), importing, 10);
  });
});

describe("a page of the dashboard", () => {
  const pages = [
    "/dashboard/memories/{memoryId}",
    "/dashboard/memories/{memoryId}?edit=1&after={revisionId}",
    "/dashboard/access/policies/{policyId}",
    "/dashboard/access?request={requestId}&undo={eventId}",
    "/dashboard/access/{requestId}",
    "/dashboard/access/policies?saved={policyId}",
    "/dashboard/memories?add=1&category={memoryId}",
    "/dashboard/proposals?undo={decidedId}",
    "/dashboard/agents/{agentDid}",
  ];
  const tried = apart(
    pages.map((template) => [template] as const),
    3,
  );

  test("is tried by all pairs, together with the others", () => {
    expect(new Set(tried.map(([, distance]) => distance))).toEqual(new Set(distances));
  });

  test.each(tried)(
    "%s of another's shows nothing of theirs (%d on)",
    async (template, distance) => {
      const [{ agentDid = "" } = {}] = await engine.db.receipt.findMany({ take: 1 });
      for (const one of people.slice(0, 1)) {
        expect((await get(targetOf(template, one, { agentDid }), one)).text).toContain(one.secret);
      }
      await expectOfEach(pairsApart(distance), async ({ one, other }) => {
        const chosen = `; gateway-profile=${encodeURIComponent(other.owner.did)}`;
        const { status, text } = await get(targetOf(template, other, { agentDid }), one, chosen);
        return { text, fault: status === 200 || status === 404 ? null : `${status}` };
      });
    },
  );
});

function targetOf(template: string, person: Person, more: Fields = {}): string {
  const ids: Fields = { ...idsOf(person), ...more };
  return template.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(ids[name] ?? ""),
  );
}

describe("a form of the dashboard", () => {
  const isId = /\{(?!seen|shownAs|agentDid)\w+\}/;
  const withId = apart(
    ownersForms
      .filter(([name, fields]) => !name.startsWith("choose") && isId.test(JSON.stringify(fields)))
      .map(([name, fields]) => [name, JSON.stringify(fields), fields] as const),
    1,
  );

  test("is tried with every kind of id, and together by all pairs", () => {
    const found = withId.flatMap(([, text]) => [...text.matchAll(new RegExp(isId, "g"))]);
    expect(new Set(found.map(([id]) => id)).size).toBe(24);
    expect(new Set(withId.map(([, , , distance]) => distance))).toEqual(new Set(distances));
  });

  test.each(withId)(
    "%s with an id of another's does nothing: %s",
    async (name, _text, fields, distance) => {
      const action = await actionNamed(name);
      await expectOfEach(pairsApart(distance), async ({ one, other }) => {
        const own: Field = ["profile", one.owner.did];
        return noticeOf(action, one, formSent(action, [own, ...filledIn(fields, idsOf(other))]));
      });
    },
  );

  test.each(withId)(
    "%s for the profile of another does nothing: %s",
    async (name, _text, fields, distance) => {
      const action = await actionNamed(name);
      await expectOfEach(pairsApart(distance), async ({ one, other }) => {
        const ids = idsOf(other);
        return noticeOf(
          action,
          one,
          formSent(action, [["profile", other.owner.did], ...filledIn(fields, ids)]),
        );
      });
    },
  );

  test("a search shows nothing of another's profile", async () => {
    const action = await actionNamed("searchAction of app/dashboard/search/actions.ts");
    const search = ({ cookie }: Person, did: string) =>
      callAction(action, {
        ...{ gateway, cookie },
        body: JSON.stringify([did, { words: "", only: "all" }]),
      });
    const isNothing = (text: string) => /^1:null$/m.test(text);
    await expectOfEach(pairsApart(1), async ({ one, other }) => {
      const own = await search(one, one.owner.did);
      if (own.status !== 200 || isNothing(own.text)) return { text: "", fault: own.text };
      const { status, text } = await search(one, other.owner.did);
      return { text, fault: status === 200 && isNothing(text) ? null : text };
    });
  });

  test("another's profile cannot be chosen", async () => {
    const action = await actionNamed("chooseProfile of app/dashboard/choose-profile.ts");
    await expectOfEach(pairsApart(1), async ({ one: { cookie }, other: { owner } }) => {
      const body = formSent(action, [["profile", owner.did]]);
      const { text, cookies } = await callAction(action, { gateway, cookie, body });
      return { text, fault: cookies.length === 0 ? null : cookies.join() };
    });
    for (const one of people.slice(0, 1)) {
      const body = formSent(action, [["profile", one.owner.did]]);
      const { cookies } = await callAction(action, { gateway, cookie: one.cookie, body });
      expect(cookies.join()).toContain(encodeURIComponent(one.owner.did));
    }
  });

  // Of many that are selected, what is not one's own is left.
  const isRefused = /"ok":false|"0 proposals rejected\. 1 left/;

  async function noticeOf(action: Action, { cookie }: Person, body: FormData) {
    const { status, text } = await callAction(action, { gateway, cookie, body });
    const isRight = status === 200 && isRefused.test(text);
    return { text, fault: isRight ? null : `${status} ${text.slice(0, 300)}` };
  }
});

// Last: of all that was tried above.
test("nothing of anybody's has changed", async () => {
  expect(await digest(engine.pool)).toBe(before);
});
