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

test("events that read the same in a row are one line, the newest, with how often", () => {
  const events = [read("evt_4", 2), read("evt_3", 2), read("evt_2", 1), read("evt_1", 2)];
  expect(happened(events, 8).map(({ event, times }) => [event.id, times])).toEqual([
    ["evt_4", 2],
    ["evt_2", 1],
    ["evt_1", 1],
  ]);
});

test("no more lines are shown than asked for", () => {
  expect(happened([read("evt_2", 1), read("evt_1", 2)], 1)).toHaveLength(1);
});

test.each([
  [1, ""],
  [2, ", twice"],
  [1_200, ", 1,200 times"],
])("%i times is said as “%s”", (times, words) => {
  expect(timesWords(times)).toBe(words);
});
