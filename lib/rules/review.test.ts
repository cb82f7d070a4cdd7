import { describe, expect, it } from "vitest";
import { effectiveState, type ProposalState } from "./review";

const now = new Date("2026-03-01T12:00:00.000Z");
const later = new Date("2026-03-08T12:00:00.000Z");
const earlier = new Date("2026-03-01T11:59:59.999Z");
const pending: ProposalState = {
  status: "pending",
  expiresAt: later,
  reason: null,
  heldAt: null,
};

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
      heldAt: null,
    });
  });

  it("while it is held apart, it does not", () => {
    const held = { ...pending, expiresAt: earlier, heldAt: earlier };
    expect(effectiveState(held, now)).toBe(held);
  });

  it("what was decided stays decided", () => {
    const approved = { ...pending, status: "approved" as const, expiresAt: earlier };
    expect(effectiveState(approved, now)).toBe(approved);
  });
});
