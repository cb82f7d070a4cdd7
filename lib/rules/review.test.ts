import { describe, expect, it } from "vitest";
import { effectiveState, type ProposalState, review } from "./review";

const now = new Date("2026-03-01T12:00:00.000Z");
const later = new Date("2026-03-08T12:00:00.000Z");
const earlier = new Date("2026-03-01T11:59:59.999Z");
const pending: ProposalState = { status: "pending", expiresAt: later, reason: null };
const expired = { accepted: false, status: "rejected", reason: "expired" };

describe("only a pending proposal moves, and only an approval makes a memory", () => {
  it.each([
    ["pending", later, "approve", { accepted: true, next: "approved", makesMemory: true }],
    ["pending", later, "reject", { accepted: true, next: "rejected", makesMemory: false }],
    ["pending", now, "approve", expired],
    ["pending", now, "reject", expired],
    ["pending", earlier, "approve", expired],
    ["approved", later, "approve", { accepted: false, status: "approved", reason: "no" }],
    ["approved", later, "reject", { accepted: false, status: "approved", reason: "no" }],
    ["approved", earlier, "reject", { accepted: false, status: "approved", reason: "no" }],
    ["rejected", later, "approve", { accepted: false, status: "rejected", reason: "no" }],
    ["rejected", earlier, "reject", { accepted: false, status: "rejected", reason: "no" }],
  ] as const)("%s until %s, %s", (status, expiresAt, action, expected) => {
    const reason = status === "pending" ? null : "no";
    expect(review({ proposal: { status, expiresAt, reason }, action, now })).toEqual(expected);
  });
});

describe("a pending proposal counts as rejected from the instant it expires", () => {
  it("one millisecond before, it is pending", () => {
    const last = { ...pending, expiresAt: new Date(now.getTime() + 1) };
    expect(effectiveState(last, now)).toBe(last);
  });

  it("at its end it is rejected, expired, and otherwise itself", () => {
    const proposal = { ...pending, id: "prop_1", expiresAt: now };
    expect(effectiveState(proposal, now)).toEqual({
      id: "prop_1",
      status: "rejected",
      expiresAt: now,
      reason: "expired",
    });
  });

  it("what was decided stays decided", () => {
    const approved = { ...pending, status: "approved" as const, expiresAt: earlier };
    expect(effectiveState(approved, now)).toBe(approved);
  });
});
