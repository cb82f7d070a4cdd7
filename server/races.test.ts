import { expect, inject, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { createClient, type SignedRequest } from "@/lib/protocol/client";
import { testEngine } from "@/tests/support/harness";
import { type Delivered, startInstance } from "@/tests/support/instances";
import {
  giveProposal,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
} from "@/tests/support/personas";
import { profilePath } from "@/tests/support/wire";

// Two processes on one database: what one decides, the other has decided as well.
const engine = await testEngine();
const baseUrl = "http://gateway.test";
const settings = {
  DATABASE_URL: engine.env.DATABASE_URL ?? "",
  DATABASE_POOL_MAX: "20",
  PUBLIC_URL: baseUrl,
  // The refusals of one network come slowly, and these are of many.
  TRUST_PROXY_HOPS: "1",
  PEER_LIMIT: "1000000",
  LIMIT_PROPOSALS: "1000000",
  LIMIT_REVIEW: "1000000",
};
const instances = [await startInstance(settings), await startInstance(settings)];

/** By the clock of the processes, which no test can set. */
function clientOf({ did, privateKey }: Minted) {
  return createClient({ did, privateKey, baseUrl });
}

// Of one nonce or proposal all at once, and of few enough others that none waits for longer than the gateway lets it.
const some = 64;

/** Neighbours in the list go to different processes at the same time. */
async function deliverAll(all: SignedRequest[], atOnce: number): Promise<Delivered[]> {
  const answers: Delivered[] = [];
  const waiting = all.entries();
  const lane = async () => {
    for (const [place, signed] of waiting) {
      const instance = instances[place % instances.length];
      const headers = { ...signed.headers, "X-Forwarded-For": `192.0.2.${place % 250}` };
      if (instance !== undefined) answers[place] = await instance.deliver({ ...signed, headers });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return answers;
}

function codeOf({ body }: Delivered): string | undefined {
  return JSON.parse(body).error?.code;
}

const crowd = inject("crowd");
const [nonces, proposals] = [50 * crowd, 25 * crowd];

function copiesOf<T>(one: T, count: number): T[] {
  return Array.from({ length: count }, () => one);
}

/** Splits a list into the runs of copies it was made of. */
function inRuns<T>(all: T[], length: number): T[][] {
  return Array.from({ length: all.length / length }, (_, nth) =>
    all.slice(nth * length, (nth + 1) * length),
  );
}

/** By turns, so that those in flight at one time do not all wait for the same caller's counter. */
function byTurns<T>(lists: T[][]): T[] {
  const [first = []] = lists;
  return first.flatMap((_, place) => lists.flatMap((list) => list.slice(place, place + 1)));
}

test(`${nonces} nonces, each sent 20 times to both processes, are accepted ${nonces} times`, async () => {
  const owner = await mintOwner(engine);
  const target = profilePath(owner.did, "/proposals");
  const requestsOf = async () => {
    const client = clientOf(await mintAgent(engine));
    return Promise.all(
      Array.from({ length: 50 }, () => client.signedRequest({ method: "GET", target })),
    );
  };
  const signed = byTurns(await Promise.all(Array.from({ length: crowd }, requestsOf)));
  const copies = 20;
  const answers = await deliverAll(
    signed.flatMap((one) => copiesOf(one, copies)),
    some,
  );
  const accepted = inRuns(answers, copies).map(
    (run) => run.filter(({ status }) => status === 200).length,
  );
  expect(accepted).toEqual(copiesOf(1, nonces));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(codeOf))).toEqual(new Set(["PROF008"]));
  expect(refused).toHaveLength(19 * nonces);
  expect(await engine.db.accessEvent.count({ where: { profileId: owner.profileId } })).toBe(nonces);
}, 240_000);

test(`one of 16 concurrent reviews wins for each of ${proposals} proposals, and each approval makes one memory`, async () => {
  engine.setNow(new Date());
  const agent = await mintAgent(engine);
  const owners = await Promise.all(Array.from({ length: crowd }, () => mintOwner(engine)));
  const profileId = { in: owners.map((owner) => owner.profileId) };
  const reviews = 16;
  const reviewsOf = async (owner: Owner) => {
    const { id } = await giveProposal(engine, {
      profileId: owner.profileId,
      agentDid: agent.did,
    });
    const client = clientOf(owner);
    const target = profilePath(owner.did, `/proposals/${id}/review`);
    // In fours: both processes get both kinds.
    const actions = ["approve", "approve", "reject", "reject"];
    return Promise.all(
      Array.from({ length: reviews }, (_, turn) => {
        const body = JSON.stringify({ action: actions[turn % actions.length] });
        return client.signedRequest({ method: "POST", target, body });
      }),
    );
  };
  const signed: SignedRequest[] = [];
  for (let turn = 0; turn < 25; turn++) {
    signed.push(...(await Promise.all(owners.map(reviewsOf))).flat());
  }
  const answers = await deliverAll(signed, some);
  const won = inRuns(answers, reviews).map((run) => run.filter(({ status }) => status === 200));
  expect(won.map(({ length }) => length)).toEqual(copiesOf(1, proposals));
  const lost = answers.filter(({ status }) => status !== 200);
  expect(new Set(lost.map(codeOf))).toEqual(new Set(["PROF006"]));
  const decided = won.flat().map(({ body }) => JSON.parse(body).data);
  const memoryIds = decided.flatMap(({ status, memoryId }) =>
    status === "approved" ? [memoryId] : [],
  );
  const memories = await engine.db.memory.findMany({ where: { profileId } });
  expect(memories.map(({ id }) => id).toSorted()).toEqual(memoryIds.toSorted());
  const where = { profileId, status: "approved" as const };
  expect(await engine.db.proposal.count({ where })).toBe(memoryIds.length);
  expect(memoryIds.length).toBeGreaterThan(0);
  expect(memoryIds.length).toBeLessThan(proposals);
  const ok = { profileId, outcome: "ok" };
  expect(await engine.db.accessEvent.count({ where: ok })).toBe(proposals);
}, 240_000);

test("100 of 1,000 concurrent requests are admitted under a limit of 100", async () => {
  const { did } = await mintOwner(engine);
  const client = clientOf(await mintAgent(engine));
  const target = profilePath(did);
  const signed: SignedRequest[] = [];
  for (let nth = 0; nth < 1_000; nth++) {
    signed.push(await client.signedRequest({ method: "GET", target, nonce: newId("nonce") }));
  }
  const answers = await deliverAll(signed, 1_000);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(900);
  expect(new Set(refused.map(codeOf))).toEqual(new Set(["PROF005"]));
}, 240_000);
