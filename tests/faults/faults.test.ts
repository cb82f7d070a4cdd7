import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { UsageError } from "@/cli/failure";
import { randomOf } from "../fuzz/random";
import { grantsDecide } from "./checks/access";
import { invariants } from "./checks/all";
import { recoveriesOf } from "./checks/answers";
import type { Evidence } from "./checks/evidence";
import { startsAnew } from "./checks/stand-ins";
import { acknowledgedIn, judgement, outcomeOf } from "./client";
import type { Kind } from "./kinds/kind";
import { type Call, type Intent, type Outcome, openLedger, readLedgers, verbs } from "./ledger";
import { readOptions } from "./options";
import { type Fault, kinds, order } from "./plan";
import { figuresOf } from "./report";

const alice = "did:prof:user:local:alice";
const iris = "did:prof:agent:local:iris";
const rival = "did:prof:agent:local:rival";
const [open, hidden] = ["canary-0000000000000001", "canary-0000000000000002"];
const access = `${iris} on ${alice}`;
const token = `profct_${"Zq7".repeat(16)}`;
const second = 1_000;

/** Begins at `at` and takes ten milliseconds, unless said otherwise. */
function call(at: number, meant: Partial<Intent>, answered: Partial<Outcome> = {}): Call {
  const id = `call-${at}`;
  return {
    id,
    at,
    verb: "readProfile",
    caller: iris,
    profile: alice,
    app: at % 2,
    ...meant,
    outcome: {
      id,
      at: at + 10,
      result: "acknowledged",
      status: 200,
      code: null,
      wellRefused: false,
      canaries: [],
      ...answered,
    },
  };
}

const unavailable = { result: "unknown", status: 503, code: "PROF503", wellRefused: true } as const;
const unanswered = { result: "unknown", status: null } as const;
const refused = { result: "refused", status: 403, code: "PROF004" } as const;
const outage: Fault = { kind: "outage", excuse: "unavailable", at: 10_000, until: 12_000 };
const said = { content: "said-00000000000000aa likes 🦉.", category: "prof:interests" };
const unheard = { ...said, content: "said-00000000000000ab likes tea." };

const proposed = call(100, { verb: "propose", nonce: "one", ...said }, { proposalId: "prop_1" });
const approval = {
  verb: "review",
  caller: alice,
  proposalId: "prop_1",
  action: "approve",
} as const;
const approved = call(200, approval, { proposalId: "prop_1", memoryId: "mem_1" });
const rejection = { ...approval, proposalId: "prop_2", action: "reject" } as const;
const granted = call(300, { verb: "decideConsent", caller: alice, begins: access });
const used = call(400, { under: access }, { canaries: [open, hidden] });
const revoked = call(500, { verb: "revokeAgent", caller: alice, ends: access });

const weighing = (rssMb: number, descriptors: number) => ({ upSeconds: 60, rssMb, descriptors });

const sound: Evidence = {
  calls: [
    // What both write is looked for, so there is one of each with all of it.
    ...verbs
      .filter((verb) => verb !== "propose" && verb !== "review")
      .map((verb, at) => call(at, { verb })),
    proposed,
    call(101, { verb: "propose", nonce: "one" }, { result: "refused", status: 401 }),
    approved,
    call(201, rejection),
    call(202, { verb: "listProposals" }, { states: { prop_1: "pending", prop_2: "rejected" } }),
    call(250, { verb: "listProposals" }, { states: { prop_1: "approved", prop_2: "rejected" } }),
    granted,
    used,
    revoked,
    call(600, { under: access }, refused),
    ...[700, 701].map((at) => call(at, { verb: "listMemories", caller: rival, limit: 2 })),
    call(11_000, {}, unavailable),
    call(12_500, {}, unavailable),
    call(12_600, {}),
    call(12_601, {}),
    call(18_000, {}),
    call(18_001, {}),
  ],
  faults: [outage],
  downs: [],
  world: {
    canaries: [
      { text: open, openTo: [iris], access: null },
      { text: hidden, openTo: [alice], access: { key: access, caller: iris } },
    ],
    secrets: [token],
  },
  stored: {
    proposals: [
      { id: "prop_1", profile: alice, agent: iris, ...said, status: "approved" },
      { id: "prop_2", profile: alice, agent: iris, ...unheard, status: "rejected" },
    ],
    memories: [{ id: "mem_1", proposalId: "prop_1", content: said.content }],
    logs: [{ profile: alice, intact: true, sealed: 9, unsealed: 0 }],
  },
  logs: [{ name: "gateway-0.log", text: '{"level":30,"msg":"answered"}\n' }],
  weights: [0, 1].map((app) => ({ app, before: weighing(200, 50), after: weighing(220, 40) })),
  lost: 0,
};

const { proposals, memories, logs } = sound.stored;
const [first, ...others] = proposals;

function withCalls(...calls: Call[]): Partial<Evidence> {
  return { calls: [...sound.calls, ...calls].sort((one, other) => one.at - other.at) };
}

/** With gateway 1 killed and started again. */
function whileDown(one: Call): Partial<Evidence> {
  const down = { at: 20_000, until: 21_000 };
  return {
    ...withCalls(one, call(21_500, {}), call(21_501, {})),
    faults: [outage, { ...down, kind: "gateway killed", excuse: "down" }],
    downs: [{ app: 1, ...down }],
  };
}

function stored(changed: Partial<Evidence["stored"]>): Partial<Evidence> {
  return { stored: { ...sound.stored, ...changed } };
}

const gone = "the limiter does not answer; PostgreSQL stands in";
const back = "the limiter answers again";
const goesOn = {
  faults: [outage, { ...outage, kind: "Redis killed" }],
  ...withCalls(call(40_000, {}), call(40_001, {})),
};

/** By one gateway. */
function logged(...lines: [at: number, msg: string][]): Pick<Evidence, "logs"> {
  const written = lines.map(([at, msg]) => ({ level: 40, time: new Date(at).toISOString(), msg }));
  const text = written.map((line) => JSON.stringify(line)).join("\n");
  return { logs: [{ name: "gateway-0.log", text }] };
}

const planted: Record<string, [what: string, Partial<Evidence>][]> = {
  "every acknowledged proposal exists, byte for byte": [
    ["it is gone", stored({ proposals: others })],
    [
      "a byte differs",
      stored({ proposals: [{ ...first, content: "said" } as (typeof proposals)[0], ...others] }),
    ],
    [
      "it is another agent's",
      stored({ proposals: [{ ...first, agent: rival } as (typeof proposals)[0], ...others] }),
    ],
  ],
  "an acknowledged approval has exactly one memory, with its content and id": [
    ["it has none", stored({ memories: [] })],
    [
      "it has two",
      stored({ memories: [...memories, { id: "mem_2", proposalId: "prop_1", content: "x" }] }),
    ],
    [
      "its id is another",
      stored({ memories: [{ id: "mem_2", proposalId: "prop_1", content: said.content }] }),
    ],
    [
      "its content is another",
      stored({ memories: [{ id: "mem_1", proposalId: "prop_1", content: "said" }] }),
    ],
    [
      "what was rejected has one",
      stored({ memories: [...memories, { id: "mem_2", proposalId: "prop_2", content: "x" }] }),
    ],
  ],
  "no nonce of a caller was accepted twice": [
    ["a copy succeeds", withCalls(call(150, { verb: "propose", nonce: "one" }, refused))],
    [
      "a copy succeeds and the answer is lost",
      stored({ proposals: [...proposals, { ...first, id: "prop_3" } as (typeof proposals)[0]] }),
    ],
  ],
  "a decision never changes, but by its owner taking it back": [
    [
      "it is pending again in the end",
      stored({ proposals: [{ ...first, status: "pending" } as (typeof proposals)[0], ...others] }),
    ],
    [
      "it is listed as pending",
      withCalls(call(260, { verb: "listProposals" }, { states: { prop_2: "pending" } })),
    ],
    [
      "it is decided again",
      withCalls(call(270, { ...rejection, action: "reject" }), call(280, rejection)),
    ],
  ],
  "nothing is accepted after an acknowledged revocation": [
    ["a read is answered", withCalls(call(601, { under: access }))],
    ["a proposal is taken", withCalls(call(601, { verb: "propose", under: access }))],
  ],
  "no limit of a rolling hour was exceeded": [
    ["one more is let in", withCalls(call(702, { verb: "listMemories", caller: rival, limit: 2 }))],
  ],
  "canaries are seen only by those they are granted to": [
    ["another agent sees one", withCalls(call(401, { caller: rival }, { canaries: [open] }))],
    ["its holder sees it afterwards", withCalls(call(602, {}, { canaries: [hidden] }))],
    ["nobody knows whose it is", withCalls(call(402, {}, { canaries: ["canary-ffff"] }))],
  ],
  "no 5xx outside a fault; inside only 503 with Retry-After and the envelope": [
    ["a 503 before it", withCalls(call(9_000, {}, unavailable))],
    ["a 503 too long after it", withCalls(call(19_000, {}, unavailable))],
    ["a 500 in it", withCalls(call(11_001, {}, { ...unavailable, status: 500 }))],
    ["a 503 without words", withCalls(call(11_001, {}, { ...unavailable, wellRefused: false }))],
    ["a 503 where another excuse holds", { faults: [{ ...outage, excuse: "unanswered" }] }],
  ],
  "every request is answered, but by a gateway that was ended or besieged": [
    ["one is not", withCalls(call(11_002, {}, unanswered))],
    ["one is not while the other gateway is down", whileDown(call(20_002, {}, unanswered))],
    ["one is not long after its gateway is back", whileDown(call(26_501, {}, unanswered))],
    ["a gateway ends by itself", { lost: 1 }],
  ],
  "all is well 5 seconds after what was broken is back, without a restart": [
    [
      "a call fails later",
      withCalls(call(16_000, {}, { ...unavailable, at: outage.until + 5 * second + 1 })),
    ],
    ["one gateway answers later", { calls: sound.calls.filter(({ at }) => at !== 12_601) }],
    ["Redis is not asked again", { ...goesOn, ...logged([10_500, gone]) }],
    ["Redis is asked again later", { ...goesOn, ...logged([10_500, gone], [32_001, back]) }],
    ["Redis is given up on for nothing", { ...goesOn, ...logged([12_100, gone]) }],
    ["one answers no more", { calls: sound.calls.filter(({ at }) => at % 2 === 0 || at < 12_601) }],
  ],
  "no log line holds a secret or what a profile holds": [
    ["a token", { logs: [{ name: "gateway-0.log", text: `{"authorization":"Bearer ${token}"}` }] }],
    ["a canary", { logs: [{ name: "gateway-0.log", text: `detail: ${open}` }] }],
    ["a proposal", { logs: [{ name: "gateway-0.log", text: said.content }] }],
  ],
  "each profile's access log is sealed and verifies": [
    ["it is broken", stored({ logs: logs.map((log) => ({ ...log, intact: false })) })],
    ["it is not sealed", stored({ logs: logs.map((log) => ({ ...log, unsealed: 1 })) })],
  ],
  "memory and file descriptors return to what they were": [
    [
      "descriptors pile up",
      { weights: sound.weights.map((one) => ({ ...one, after: weighing(1, 71) })) },
    ],
    [
      "memory piles up",
      { weights: sound.weights.map((one) => ({ ...one, after: weighing(267, 1) })) },
    ],
  ],
  "all that is judged has happened": [
    ["a form is refused each time", { calls: sound.calls.filter(({ verb }) => verb !== "reopen") }],
    ["a gateway is not weighed", { weights: sound.weights.slice(1) }],
    ["a log is not read", stored({ logs: [] })],
    ["no grant shows anything", { calls: sound.calls.filter((one) => one !== used) }],
  ],
};

test("sound records are no breach", () => {
  expect(invariants.flatMap((invariant) => invariant.breaches(sound))).toEqual([]);
});

test("each invariant has violations planted below", () => {
  expect(Object.keys(planted).sort()).toEqual(invariants.map(({ name }) => name).sort());
});

describe.each(invariants)("$name", ({ name, breaches }) => {
  test.each(planted[name] ?? [])("is broken where %s", (_what, evidence) => {
    expect(breaches({ ...sound, ...evidence })).not.toEqual([]);
  });
});

describe("no violation", () => {
  const breachesOf = (evidence: Partial<Evidence>) =>
    invariants.flatMap((invariant) => invariant.breaches({ ...sound, ...evidence }));

  test("a decision that its owner undoes, and makes again", () => {
    const reopened = call(800, { verb: "reopen", caller: alice, proposalId: "prop_1" });
    const again = call(900, { ...approval, action: "reject" });
    const rejected = proposals.map((proposal) => ({ ...proposal, status: "rejected" }));
    const evidence = {
      ...withCalls(reopened, again),
      ...stored({ memories: [], proposals: rejected }),
    };
    expect(breachesOf(evidence)).toEqual([]);
  });

  test("no answer from a gateway that is down", () => {
    expect(breachesOf(whileDown(call(20_001, {}, unanswered)))).toEqual([]);
  });

  test("an answer to what was under way when access was revoked", () => {
    expect(breachesOf(withCalls(call(505, { under: access })))).toEqual([]);
  });

  test("access that was granted once more", () => {
    const regranted = call(650, { verb: "decideConsent", caller: alice, begins: access });
    expect(breachesOf(withCalls(regranted, call(670, { under: access })))).toEqual([]);
  });

  test("twice the limit where the gateway told that PostgreSQL stood in", () => {
    const more = [702, 703].map((at) =>
      call(at, { verb: "listMemories", caller: rival, limit: 2 }),
    );
    const log = logged([650, gone], [720, back]);
    expect(breachesOf({ ...withCalls(...more), ...log })).toEqual([]);
    const fifth = call(704, { verb: "listMemories", caller: rival, limit: 2 });
    expect(breachesOf({ ...withCalls(...more, fifth), ...log })).not.toEqual([]);
    for (const over of [logged([-90, gone], [0, back]), logged([-90, gone], [0, startsAnew])]) {
      expect(breachesOf({ ...withCalls(...more), ...over })).not.toEqual([]);
    }
  });

  test.each([
    [31_999, back],
    [14_000, startsAnew],
  ])("that PostgreSQL stands in for Redis until %d, when %s", (at, msg) => {
    expect(breachesOf({ ...goesOn, ...logged([10_500, gone], [at, msg]) })).toEqual([]);
  });

  test("a revocation that was not acknowledged", () => {
    const unheard = { ...revoked, outcome: { ...revoked.outcome, ...unavailable } };
    const calls = [granted, used, unheard, call(600, { under: access })];
    expect(grantsDecide.breaches({ ...sound, calls })).toEqual([]);
  });
});

test("recovery is counted from the fault's end to the last failure and the first success of each gateway", () => {
  expect(recoveriesOf(sound)).toEqual([{ kind: "outage", ms: 611 }]);
});

describe("of an answer is kept", () => {
  const meta = { requestId: "req_1", timestamp: "2026-03-01T00:00:00.000Z" };
  const error = { code: "PROF503", message: "…" };
  const away = { status: 503, body: { success: false, error, meta } };
  const wait = { "retry-after": "5" };
  const kept = (
    { status, body }: { status: number; body: object },
    { target = "/prof/v1/profile", ...headers }: Record<string, string> = {},
  ) => {
    const type = { "content-type": "application/json; charset=utf-8" };
    const heard = { status, headers: { ...type, ...headers }, body: JSON.stringify(body) };
    return outcomeOf("call-1", {
      heard,
      acknowledged: acknowledgedIn(heard),
      judge: judgement,
      target,
    });
  };

  test.each([
    ["with Retry-After and the envelope", away, wait, true],
    [
      "of a page, which has no envelope",
      { ...away, body: {} },
      { ...wait, target: "/dashboard" },
      true,
    ],
    ["without Retry-After", away, {}, false],
    ["with a Retry-After of nothing", away, { "retry-after": "0" }, false],
    [
      "with another code",
      { ...away, body: { ...away.body, error: { code: "PROF500" } } },
      wait,
      false,
    ],
    [
      "without the id of the request",
      { ...away, body: { success: false, error, meta: {} } },
      wait,
      false,
    ],
    [
      "that calls itself a success",
      { ...away, body: { ...away.body, success: true } },
      wait,
      false,
    ],
  ] as const)("whether it refuses well: a 503 %s", (_which, answer, headers, wellRefused) => {
    expect(kept(answer, headers)).toMatchObject({ result: "unknown", status: 503, wellRefused });
  });

  test("what it shows of canaries and of states, each once", () => {
    const data = [
      { id: "prop_1", status: "pending", content: `${open} and ${hidden} and ${open}` },
      { id: "prop_2", status: "rejected", content: "" },
    ];
    expect(kept({ status: 200, body: { success: true, data, meta } })).toMatchObject({
      result: "acknowledged",
      canaries: [open, hidden],
      states: { prop_1: "pending", prop_2: "rejected" },
    });
  });

  test("that there was none", () => {
    const nothing = { heard: null, acknowledged: {}, judge: judgement, target: "/prof/v1/profile" };
    expect(outcomeOf("call-1", nothing)).toMatchObject({ result: "unknown", status: null });
  });
});

describe("a ledger", () => {
  test("gives back every call as it was written; one without an outcome is unknown", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "gateway-ledger-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ledger = openLedger(folder, "iris");
    const { outcome, ...intent } = proposed;
    ledger.intend(intent);
    ledger.settle(outcome);
    const { outcome: _, ...unheard } = approved;
    ledger.intend(unheard);
    ledger.close();
    const [one, other] = await readLedgers(folder);
    expect(one).toEqual(proposed);
    expect(other).toMatchObject({ ...unheard, outcome: { result: "unknown", status: null } });
  });
});

describe("the plan", () => {
  test("comes to every kind once before any comes again, and is the same for the same seed", () => {
    const names = (seed: number) => {
      const all = order(kinds, randomOf(seed, 0), () => false);
      return Array.from({ length: 40 }, () => all.next().value.name);
    };
    expect(names(7).slice(0, kinds.length)).toEqual(kinds.map(({ name }) => name));
    expect(names(7)).toEqual(names(7));
    expect(names(7)).not.toEqual(names(8));
  });

  test("ends no gateway late, but once at first and where nothing else breaks", () => {
    const ends = ["gateway killed", "gateways restarted one by one"];
    const late = (those: readonly Kind[]) => {
      const all = order(those, randomOf(7, 0), () => true);
      for (const kind of those) expect(all.next().value).toBe(kind);
      return new Set(Array.from({ length: 300 }, () => all.next().value.name));
    };
    const lasting = kinds.map(({ name }) => name).filter((name) => !ends.includes(name));
    expect([...late(kinds)].toSorted()).toEqual(lasting.toSorted());
    expect([...late(kinds.filter(({ name }) => ends.includes(name)))].toSorted()).toEqual(ends);
  });
});

describe("the report", () => {
  const about = {
    date: "2026-03-01",
    minutes: 3,
    seed: 7,
    notRun: null,
    heldUpMs: 20,
    failedStarts: 0,
  };

  test("counts what was lost", () => {
    const lossy = { ...sound, ...stored({ proposals: others, memories: [] }) };
    expect(figuresOf(sound, about)).toMatchObject({ lost: 0, faults: 1, acknowledgedWrites: 13 });
    expect(figuresOf(lossy, about).lost).toBe(2);
  });
});

test.each([["--minutes", "0"], ["--seed", "x"], ["--only", "an earthquake"], ["--nonsense"]])(
  "%s %s is refused with a reason",
  (...args) => {
    expect(() => readOptions(args)).toThrow(UsageError);
  },
);
