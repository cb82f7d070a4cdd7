import { expect, test } from "vitest";
import { markOf } from "./mark";

const event = { verb: "getProfile", outcome: "ok", subjectId: null, detail: {} };
const asking = { verb: "requestAccess", outcome: "PROF004", subjectId: "creq_1" };

test.each([
  ["a read", {}, "eye", "plain"],
  ["a refused read", { outcome: "PROF004" }, "prohibit", "refused"],
  ["a refused request", { ...asking, subjectId: null }, "prohibit", "refused"],
  ["a request that waits", asking, "hand", "waits"],
  ["a request that was answered since", { ...asking, subjectId: "creq_2" }, "hand", "plain"],
  ["an approval", { verb: "reviewProposal", detail: { action: "approve" } }, "check", "plain"],
  ["a rejection", { verb: "reviewProposal", detail: { action: "reject" } }, "x", "plain"],
  ["a verb of a later version", { verb: "constructor" }, "user-circle", "plain"],
])("%s is marked", (_what, given, icon, tone) => {
  expect(markOf({ ...event, ...given }, new Set(["creq_1"]))).toEqual({ icon, tone });
});
