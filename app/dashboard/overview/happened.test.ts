import { expect, test } from "vitest";
import { agentDid } from "@/lib/protocol/did";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { happenedByDay, timesWords } from "./happened";

const did = agentDid("local", "iris");
const at = new Date("2026-03-01T12:00:00Z");

function read(id: string, count: number, by = "Iris"): ActivityEvent {
  return {
    ...{ id, at, verb: "getProfile", outcome: "ok", actor: "agent", actorId: did },
    ...{ agent: { did, name: by, verified: true }, about: null },
    asked: [],
    ...{ granted: [], denied: [], items: { "prof:interests": count }, reasons: {} },
    ...{ purposeType: null, receiptId: null, subjectId: null, detail: {}, requestId: "req_1" },
  };
}

const clock = { now: at, zone: "UTC" };
const linesOf = (events: ActivityEvent[], max?: number) =>
  happenedByDay(events, { ...clock, max }).flatMap(({ things }) => things);
const folds = (events: ActivityEvent[]) =>
  linesOf(events).map(({ event, before }) => [event.id, ...before.map(({ id }) => id)].join(" "));

test("equal events that follow each other are one line, the newest", () => {
  const events = [read("evt_4", 2), read("evt_3", 2), read("evt_2", 1), read("evt_1", 2)];
  expect(folds(events)).toEqual(["evt_4 evt_3", "evt_2", "evt_1"]);
});

test("equal events before and after an act of the owner stay apart", () => {
  const act = { ...read("evt_2", 0), verb: "createPolicy", actor: "owner", agent: null } as const;
  expect(folds([read("evt_3", 2), act, read("evt_1", 2)])).toEqual(["evt_3", "evt_2", "evt_1"]);
});

test("equal events before and after midnight stay under their days", () => {
  const on = (id: string, time: string) => ({ ...read(id, 2), at: new Date(time) });
  const events = [
    on("evt_3", "2026-03-01T00:02:00Z"),
    on("evt_2", "2026-03-01T00:01:00Z"),
    on("evt_1", "2026-02-28T23:59:00Z"),
  ];
  const days = happenedByDay(events, clock).map(({ heading, things }) => [
    heading,
    ...things.map(({ event, before }) => [event.id, before.length]),
  ]);
  expect(days).toEqual([
    ["Today", ["evt_3", 1]],
    ["Yesterday", ["evt_1", 0]],
  ]);
});

test("what each of several was about is said of one alone", () => {
  const decided = (id: string, subjectText: string): ActivityEvent => ({
    ...read(id, 0),
    ...{ verb: "reviewProposal", actor: "owner", agent: null, subjectText },
  });
  const [one, other] = [decided("evt_2", "Likes tea."), decided("evt_1", "Likes rain.")];
  expect(linesOf([one]).map(({ event }) => event.subjectText)).toEqual(["Likes tea."]);
  expect(linesOf([one, other]).map(({ event }) => event.subjectText)).toEqual([undefined]);
});

test("no more lines are shown than asked for", () => {
  const yesterday = new Date("2026-02-28T12:00:00Z");
  const events = [read("evt_2", 1), { ...read("evt_1", 2), at: yesterday }];
  expect(linesOf(events)).toHaveLength(2);
  expect(linesOf(events, 1)).toHaveLength(1);
});

test.each([
  [1, ""],
  [2, ", twice"],
  [1_200, ", 1,200\u00a0times"],
])("%i times is said as “%s”", (times, words) => {
  const before = Array.from({ length: times - 1 }, () => read("evt_1", 1));
  expect(timesWords({ before })).toBe(words);
});
