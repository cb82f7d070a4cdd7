import { describe, expect, test } from "vitest";
import { testNow } from "@/tests/support/harness";
import { createPeerGuard } from "./peer-guard";

const later = (seconds: number) => new Date(testNow.getTime() + seconds * 1_000);
const peer = "192.0.2.7";

describe("a peer that fails to authenticate", () => {
  test("has its whole limit until it fails, and the minute's end as reset", () => {
    const guard = createPeerGuard(3);
    expect(guard.standing(peer, later(12))).toEqual({ limit: 3, remaining: 3, resetAt: later(60) });
  });

  test("is charged once a failure, to zero and not below", () => {
    const guard = createPeerGuard(3);
    const remaining = [1, 2, 3, 4, 5].map(() => {
      guard.charge(peer, testNow);
      return guard.standing(peer, testNow).remaining;
    });
    expect(remaining).toEqual([2, 1, 0, 0, 0]);
  });

  test("is not charged for being looked at", () => {
    const guard = createPeerGuard(1);
    for (let looks = 0; looks < 5; looks += 1) guard.standing(peer, testNow);
    expect(guard.standing(peer, testNow).remaining).toBe(1);
  });

  test("costs its neighbour nothing", () => {
    const guard = createPeerGuard(1);
    guard.charge(peer, testNow);
    expect(guard.standing("192.0.2.8", testNow).remaining).toBe(1);
  });

  test("starts again with the next minute, and not a moment before", () => {
    const guard = createPeerGuard(1);
    guard.charge(peer, testNow);
    expect(guard.standing(peer, later(59.999)).remaining).toBe(0);
    expect(guard.standing(peer, later(60)).remaining).toBe(1);
  });

  test("does not get off because a request of the minute before ends late", () => {
    const guard = createPeerGuard(1);
    guard.charge(peer, later(60));
    guard.charge("192.0.2.8", later(59.999));
    expect(guard.standing(peer, later(61))).toMatchObject({ remaining: 0, resetAt: later(120) });
    expect(guard.standing("192.0.2.8", later(61)).remaining).toBe(0);
  });

  test("is not locked out for good when the clock is set back", () => {
    const guard = createPeerGuard(1);
    guard.charge(peer, later(86_400));
    expect(guard.standing(peer, testNow)).toMatchObject({ remaining: 1, resetAt: later(60) });
  });

  test("without an address is never charged", () => {
    const guard = createPeerGuard(1);
    guard.charge(null, testNow);
    guard.charge(null, testNow);
    expect(guard.standing(null, testNow).remaining).toBe(1);
  });
});

describe("peers that are one", () => {
  test.each([
    ["two hosts of an IPv6 /64", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9"],
    ["one address in short and in long", "2001:db8::1", "2001:0db8:0000:0000:0000:0000:0000:0001"],
    ["one address in upper and in lower case", "2001:DB8::1", "2001:db8::1"],
    ["one address with and without its interface", "fe80::1%eth0", "fe80::1"],
    ["an IPv4 address and the same mapped into IPv6", "192.0.2.7", "::ffff:192.0.2.7"],
  ])("%s", (_, one, other) => {
    const guard = createPeerGuard(2);
    guard.charge(one, testNow);
    guard.charge(other, testNow);
    expect(guard.standing(one, testNow).remaining).toBe(0);
  });
});

describe("peers that are two", () => {
  test.each([
    ["IPv6 networks that differ in the fourth group", "2001:db8:0:1::1", "2001:db8:0:2::1"],
    ["IPv4 addresses mapped into IPv6", "::ffff:192.0.2.7", "::ffff:192.0.2.8"],
    ["this machine and a stranger", "::1", "2001:db8::1"],
  ])("%s", (_, one, other) => {
    const guard = createPeerGuard(1);
    guard.charge(one, testNow);
    expect(guard.standing(other, testNow).remaining).toBe(1);
  });
});

test("a flood of addresses neither grows the guard without end nor frees who is counted", () => {
  const guard = createPeerGuard(2);
  guard.charge(peer, testNow);
  for (let number = 0; number < 50_000; number += 1) {
    guard.charge(`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`, testNow);
  }
  guard.charge(peer, testNow);
  expect(guard.standing(peer, testNow).remaining).toBe(0);
  expect(guard.standing("10.0.195.79", testNow).remaining).toBe(2);
});
