import { describe, expect, test } from "vitest";
import { Did } from "@/lib/protocol/did";
import type { Opening } from "@/lib/rules/effect/openings";
import { everyAgent, type Policy } from "@/lib/rules/facts";
import type { AgentReach, CategoryReach, ProfileReach } from "@/lib/services/access/sight/reach";
import { cellWords, linesOf, matrixOf, partOf } from "./matrix";

const now = new Date("2026-03-01T12:00:00Z");
const clock = { now, zone: "UTC" };
const [soon, later] = [new Date("2026-03-04T12:00:00Z"), new Date("2026-12-24T12:00:00Z")];
const policy: Policy = {
  ...{ id: "pol_1", agentPattern: everyAgent, verifiedOnly: false, allow: [], deny: [] },
  ...{ permissions: [], purposes: [], maxRetention: null, receiptSeconds: null },
  ...{ enabled: true, expiresAt: null, origin: "owner" },
};
const lasting: Opening = { policy, until: null };
const brief = (until: Date): Opening => ({ policy, until });
const closed = { reads: null, takes: null, proposes: null, never: null, asks: null };

function reach(category: string, given: Partial<CategoryReach> = {}): CategoryReach {
  return { category, memories: 0, values: 0, ...closed, ...given };
}

function agent(name: string, categories: CategoryReach[]): AgentReach {
  const did = Did.parse(`did:prof:agent:local:${name.toLowerCase()}`);
  return { agent: { did, name, verified: true }, categories };
}

function profile(...agents: AgentReach[]): ProfileReach {
  const held = (category: string, memories: number) => ({ category, memories, values: 1 });
  const categories = [held("prof:interests", 10), held("prof:interests.music", 4)];
  return { categories, agents, leftOut: 0 };
}

/** The words of an agent's cell for its interests. */
function interests(...categories: CategoryReach[]): string {
  const { columns, rows } = matrixOf(profile(agent("Iris", categories)));
  const place = columns.findIndex(({ category }) => category === "prof:interests");
  const cell = rows[0]?.cells[place];
  return cell === undefined ? "" : cellWords(cell, clock);
}

const whole = { memories: 10, values: 1 };

describe("a cell", () => {
  test.each<[words: string, CategoryReach[]]>([
    ["nothing unless you grant it", []],
    ["nothing unless you grant it", [reach("prof:interests")]],
    ["never", [reach("prof:interests", { never: { policy } })]],
    [
      "nothing unless you grant it",
      [reach("prof:interests", { never: { policy } }), reach("prof:interests.music")],
    ],
    ["may only propose", [reach("prof:interests", { proposes: lasting })]],
    [
      "can read 16",
      [
        reach("prof:interests", { ...whole, reads: lasting }),
        reach("prof:interests.music", { memories: 4, values: 1, reads: lasting }),
      ],
    ],
    [
      "can read 5 of 16",
      [reach("prof:interests"), reach("prof:interests.music", { memories: 5, reads: lasting })],
    ],
    [
      "can read 11 of 16 until 24 December 2026",
      [reach("prof:interests", { ...whole, reads: brief(soon), takes: brief(later) })],
    ],
    [
      "can read 11 of 16 without asking you, after saying why, until 4 March 2026",
      [reach("prof:interests", { ...whole, takes: brief(soon) })],
    ],
    [
      "can read 11 of 16, and 5 more without asking you, after saying why",
      [
        reach("prof:interests", { ...whole, reads: lasting }),
        reach("prof:interests.music", { memories: 4, values: 1, takes: lasting }),
      ],
    ],
    [
      "can read 16, the last of it until 24 December 2026",
      [
        reach("prof:interests", { ...whole, reads: brief(soon) }),
        reach("prof:interests.music", { memories: 4, values: 1, reads: brief(later) }),
      ],
    ],
    [
      "can read 11 of 16 without asking you, after saying why",
      [reach("prof:interests", { ...whole, takes: lasting })],
    ],
    [
      "asks you, and can read 5 of 16",
      [
        reach("prof:interests", { asks: "creq_1" }),
        reach("prof:interests.music", { memories: 5, reads: lasting }),
      ],
    ],
    ["asks you", [reach("prof:interests", { asks: "creq_1", proposes: lasting })]],
  ])("says %s", (words, categories) => {
    expect(interests(...categories)).toBe(words);
  });

  test("of a category without anything says what is added", () => {
    const { columns, rows } = matrixOf(
      profile(agent("Iris", [reach("prof:health", { reads: lasting })])),
    );
    const cells = rows[0]?.cells ?? [];
    const cell = cells[columns.findIndex(({ category }) => category === "prof:health")];
    expect(cell && cellWords(cell, clock)).toBe("can read what is added");
  });
});

test("cells that say the same are one line, and those that wait for a grant none", () => {
  const categories = [
    ...[
      reach("prof:interests", { proposes: lasting }),
      reach("prof:health", { proposes: lasting }),
    ],
    ...[reach("prof:identity", { never: { policy } }), reach("prof:episodic")],
  ];
  const { columns, rows } = matrixOf(profile(agent("Iris", categories)));
  const lines = linesOf(rows[0]?.cells ?? [], clock).map(({ words, places }) => ({
    ...{ words, of: places.map((place) => columns[place]?.category).sort() },
  }));
  expect(lines).toHaveLength(2);
  expect(lines).toContainEqual({ words: "never", of: ["prof:identity"] });
  expect(lines).toContainEqual({
    ...{ words: "may only propose", of: ["prof:health", "prof:interests"] },
  });
});

test.each<[kind: string, CategoryReach]>([
  ["reads", reach("prof:interests", { ...whole, reads: lasting })],
  ["briefly", reach("prof:interests", { ...whole, reads: brief(soon) })],
  ["takes", reach("prof:interests", { ...whole, takes: lasting })],
  ["takes", reach("prof:interests", { ...whole, takes: brief(soon) })],
  ["reads", reach("prof:interests", { ...whole, reads: lasting, asks: "creq_1" })],
  ["asks", reach("prof:interests", { proposes: lasting, asks: "creq_1" })],
])(
  "the mark of a cell tells reading, for a time too, from reading after saying why and from a request: %s",
  (kind, one) => {
    const { rows } = matrixOf(profile(agent("Iris", [one])));
    expect(rows[0]?.cells.map((cell) => cell.kind)).toContain(kind);
  },
);

test.each<[part: number | null, CategoryReach]>([
  [11, reach("prof:interests", { ...whole, reads: lasting })],
  [11, reach("prof:interests", { ...whole, takes: brief(soon) })],
  [null, reach("prof:interests", { memories: 16, reads: lasting })],
  [null, reach("prof:interests", { memories: 5, proposes: lasting })],
])("a cell of which an agent reads a part has its number: %s", (part, one) => {
  const { columns, rows } = matrixOf(profile(agent("Iris", [one])));
  const cell = rows[0]?.cells[columns.findIndex(({ category }) => category === "prof:interests")];
  expect(cell && partOf(cell)).toBe(part);
});

describe("the matrix", () => {
  test("has the known categories first, then those that hold most, each with all below it", () => {
    const { columns } = matrixOf({
      ...profile(),
      categories: [
        { category: "prof:a-request-names-it", memories: 0, values: 0 },
        { category: "prof:hobbies.bees", memories: 2, values: 0 },
        { category: "prof:interests", memories: 10, values: 1 },
        { category: "prof:interests.music", memories: 4, values: 1 },
      ],
    });
    expect(columns).toHaveLength(10);
    expect(columns).toContainEqual({ category: "prof:interests", items: 16 });
    expect(columns.at(-2)).toEqual({ category: "prof:hobbies", items: 2 });
  });

  test("has those agents first that read most, and counts what it leaves out", () => {
    const agents = Array.from({ length: 20 }, (_, nth) =>
      agent(`A${nth}`, [reach("prof:interests", { memories: nth, reads: lasting })]),
    );
    const categories = Array.from({ length: 10 }, (_, nth) => ({
      ...{ category: `prof:c${nth}`, memories: 1, values: 0 },
    }));
    const matrix = matrixOf({ categories, agents, leftOut: 7 });
    expect(matrix.rows.map((row) => row.agent.name).slice(0, 2)).toEqual(["A19", "A18"]);
    expect([matrix.rows.length, matrix.moreRows, matrix.isAtLeast]).toEqual([8, 19, true]);
    expect([matrix.columns.length, matrix.moreColumns]).toEqual([10, 8]);
  });

  test("names what closes next, which a longer grant may follow", () => {
    const iris = agent("Iris", [reach("prof:health", { reads: brief(soon), takes: brief(later) })]);
    const nova = agent("Nova", [reach("prof:interests", { reads: brief(soon), takes: lasting })]);
    const pip = agent("Pip", [reach("prof:episodic", { reads: lasting })]);
    expect(matrixOf(profile(iris, nova, pip)).nextEnd).toEqual({
      ...{ agent: iris.agent, category: "prof:health", at: later },
    });
    expect(matrixOf(profile(nova, pip)).nextEnd).toBeNull();
  });
});
