import { expect, test } from "vitest";
import type { Resembling } from "@/lib/services/proposals/resembling";
import { likenessOf } from "./likeness";

const memory: Resembling = {
  ...{ kind: "memory", id: "mem_1", content: "Lives in Graz.", isCut: false },
  ...{ category: "prof:episodic", relation: "none", isNewer: false, likeness: 0.5 },
};
const proposal: Resembling = { ...memory, kind: "proposal", id: "prop_1" };

test.each<[string, Partial<Resembling> | null, string]>([
  ["nothing", null, "none"],
  ["a memory that says the same", { relation: "same" }, "same"],
  ["a memory that says the opposite", { relation: "contradicts" }, "contradicts"],
  ["a memory of an older value", { relation: "updates" }, "updates"],
  ["a memory of a newer value", { relation: "updates", isNewer: true }, "outdated"],
  ["a memory that is only near", {}, "close"],
  ["a proposal that says the same", { ...proposal, relation: "same" }, "twin"],
  ["a proposal that says the opposite", { ...proposal, relation: "contradicts" }, "opposite"],
  ["a proposal that is near", proposal, "waiting"],
])("near %s, a card says so", (_title, near, kind) => {
  const all = near === null ? [] : [{ ...memory, ...near }];
  expect(likenessOf({ near: all, rejectedAt: null })).toMatchObject({ kind });
});

test("what a route answers is what a page has", () => {
  const rejected = likenessOf({ near: [], rejectedAt: new Date(0) });
  expect(JSON.parse(JSON.stringify(rejected))).toEqual(rejected);
});
