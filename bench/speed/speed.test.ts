import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { UsageError } from "@/cli/failure";
import { answerIn } from "./children/sender";
import { readOptions } from "./options";
import { quantile } from "./quantile";
import { besideBreaches, breachesOf, table } from "./report";
import { packed, signedBytes, unpacked } from "./requests";
import { summarised } from "./testing/plans";

const turn = {
  perSecond: 500,
  p50Ms: 50,
  p99Ms: 90,
  serverCpuMs: 1,
  databaseCpuMs: 0.5,
  rssMb: 300,
  failed: 0,
};
const figures = {
  name: "profile",
  line: "GET profile",
  target: 0.5,
  ratio: 0.5,
  gateway: turn,
  floor: turn,
};

test("a request is signed each time, whole and as it goes on the wire", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const caller = { did: "did:prof:agent:local:iris", privateKey } as const;
  const asking = { caller, method: "POST", target: "/prof/v1/x", body: { a: 1 } } as const;
  const [one, other] = [1, 2].map(() => signedBytes(asking, "localhost:1").toString());
  expect(one).toMatch(
    /^POST \/prof\/v1\/x HTTP\/1\.1\r\nHost: localhost:1\r\nAuthorization: PROF-Signature did="did:prof:agent:local:iris", /,
  );
  expect(one).toMatch(/\r\nContent-Length: 7\r\n\r\n\{"a":1\}$/);
  expect(one).not.toBe(other);
});

test("packed requests are unpacked unchanged", () => {
  const requests = ["one", "", "three"].map((text) => Buffer.from(text));
  expect(unpacked(packed(requests)).map(String)).toEqual(["one", "", "three"]);
});

test.each([
  ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", { status: "200" }],
  ["HTTP/1.1 429 Too Many\r\ncontent-length: 0\r\n\r\n", { status: "429" }],
  ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", null],
  ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", null],
])("an answer counts when all of it is there: %j", (bytes, expected) => {
  expect(answerIn(Buffer.from(bytes))).toEqual(expected);
});

describe("an endpoint", () => {
  test("at its target, with every answer as asked, breaks nothing and is a row", () => {
    expect(breachesOf(figures)).toEqual([]);
    expect(table([figures]).split("\n")[2]).toContain("| GET profile | 500 | 0.50 | 0.50 |");
  });

  test.each([
    [{ ratio: 0.49 }, "GET profile reaches 0.49 of the floor, not 0.5"],
    [{ gateway: { ...turn, failed: 3 } }, "GET profile: 3 requests had another answer"],
    [{ floor: { ...turn, failed: 1 } }, "GET profile: 1 requests had another answer"],
  ])("with %o is named with what it breaks", (broken, problem) => {
    expect(breachesOf({ ...figures, ...broken })).toEqual([problem]);
  });
});

describe("beside the endpoints", () => {
  const plan = {
    ...{ endpoint: "GET profile", statement: "facts", ms: 1, indexes: ["Profile_did_key"] },
    readMuch: { Job: 9 },
  };
  const sound = {
    pair: { startMs: 1_499, times: 1 },
    memory: { requests: 100, rssMb: [300, 310, 320, 330] },
    growth: [{ rows: 10, line: "GET profile", alone: 1_000, among: 801 }],
    plans: [plan],
    sweeps: [{ job: "sweep-nonces", turns: 1, transactionMs: 90 }],
    bigProfile: { ...turn, p50Ms: 49 },
  };

  test("good figures and missing ones are no breach", () => {
    expect(besideBreaches(sound)).toEqual([]);
    const left = {
      ...sound,
      pair: null,
      memory: null,
      growth: [],
      bigProfile: null,
      plans: [],
      sweeps: [],
    };
    expect(besideBreaches(left)).toEqual([]);
  });

  test.each([
    [{ pair: { startMs: 1_501, times: 1 } }, "a start takes 1501 ms"],
    [{ memory: { requests: 100, rssMb: [351, 351] } }, "it holds 351 MB"],
    [
      { memory: { requests: 100, rssMb: [200, 210, 230, 240] } },
      "memory grew by 30 MB in the second half",
    ],
    [
      { growth: [{ rows: 10, line: "GET profile", alone: 1_000, among: 600 }] },
      "GET profile falls to 0.60 times with 10 rows of others",
    ],
    [{ bigProfile: { ...turn, p50Ms: 51 } }, "memories of 100,000 take 51 ms"],
    [
      { plans: [{ ...plan, readMuch: { Memory: 1_001 } }] },
      "GET profile, facts: reads 1001 rows of Memory",
    ],
    [
      { sweeps: [{ job: "sweep-nonces", turns: 1, transactionMs: 101 }] },
      "sweep-nonces holds locks for 101 ms",
    ],
  ])("%o is named", (broken, problem) => {
    expect(besideBreaches({ ...sound, ...broken })).toEqual([problem]);
  });
});

test("of all that a statement was told to have done, its name, its indexes and what it read much of stay", () => {
  const node = (type: string, more: object) => ({
    "Node Type": type,
    "Actual Rows": 1,
    "Actual Loops": 1,
    ...more,
  });
  const planOf = (ms: number, rows: number) => {
    const Plans = [
      node("Index Scan", { "Index Name": "Profile_did_key" }),
      node("Index Scan", { "Index Name": "never_used", "Actual Loops": 0 }),
      node("Seq Scan", {
        "Relation Name": "Job",
        "Actual Rows": rows,
        "Rows Removed by Filter": 2,
      }),
      node("Index Scan", { "Relation Name": "Receipt", "Rows Removed by Filter": 3_000 }),
      node("Index Scan", { "Relation Name": "Memory", "Actual Rows": 50, "Actual Loops": 32 }),
    ];
    const plan = { "Query Text": "SELECT 1", Plan: node("Nested Loop", { Plans }) };
    return `duration: ${ms} ms  plan:\n${JSON.stringify(plan)}`;
  };
  const names = new Map([["SELECT 1", "facts"]]);
  expect(
    summarised("GET x", [planOf(3, 1), planOf(1, 5), planOf(2, 4), "another notice"], names),
  ).toEqual([
    {
      endpoint: "GET x",
      statement: "facts",
      ms: 2,
      indexes: ["Profile_did_key"],
      readMuch: { Job: 7, Receipt: 3_001 },
    },
  ]);
});

test.each([["--seconds", "0"], ["--rounds", "x"], ["--nonsense"]])(
  "%s %s is refused with a reason",
  (...args) => {
    expect(() => readOptions(args)).toThrow(UsageError);
  },
);

test("median and p95 are values that were measured", () => {
  const values = Array.from({ length: 40 }, (_, number) => 40 - number);
  expect(quantile(values, 0.5)).toBe(20);
  expect(quantile(values, 0.95)).toBe(38);
});
