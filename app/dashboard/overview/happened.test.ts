import { expect, test } from "vitest";
import { agentDid } from "@/lib/protocol/did";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { happened, timesWords } from "./happened";

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

const folds = (events: ActivityEvent[]) =>
  happened(events).map(({ event, before }) => [event.id, ...before.map(({ id }) => id)].join(" "));

test("equal events of agents are one line, the newest, also around other ones of agents", () => {
  const events = [read("evt_4", 2), read("evt_3", 2), read("evt_2", 1), read("evt_1", 2)];
  expect(folds(events)).toEqual(["evt_4 evt_3 evt_1", "evt_2"]);
});

test("equal events before and after an act of the owner stay apart", () => {
  const act = { ...read("evt_2", 0), verb: "createPolicy", actor: "owner", agent: null } as const;
  expect(folds([read("evt_3", 2), act, read("evt_1", 2)])).toEqual(["evt_3", "evt_2", "evt_1"]);
});

test("what each of several was about is said of one alone", () => {
  const decided = (id: string, subjectText: string): ActivityEvent => ({
    ...read(id, 0),
    ...{ verb: "reviewProposal", actor: "owner", agent: null, subjectText },
  });
  const [one, other] = [decided("evt_2", "Likes tea."), decided("evt_1", "Likes rain.")];
  expect(happened([one]).map(({ event }) => event.subjectText)).toEqual(["Likes tea."]);
  expect(happened([one, other]).map(({ event }) => event.subjectText)).toEqual([undefined]);
});

test("no more lines are shown than asked for", () => {
  expect(happened([read("evt_2", 1), read("evt_1", 2)], 1)).toHaveLength(1);
});

test.each([
  [1, ""],
  [2, ", twice"],
  [1_200, ", 1,200\u00a0times"],
])("%i times is said as “%s”", (times, words) => {
  const before = Array.from({ length: times - 1 }, () => read("evt_1", 1));
  expect(timesWords({ before })).toBe(words);
});
