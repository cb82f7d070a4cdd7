import { expect, test } from "vitest";
import { testNow } from "@/tests/support/harness";
import { createAttempts } from "./attempts";

const later = new Date(testNow.getTime() + 15 * 60_000);

test("an account has so many attempts in a quarter of an hour, from wherever", () => {
  const attempts = createAttempts({ account: 6, here: 4, peer: 100 });
  const from = (peer: string) => attempts.take({ account: "a@example.com", peer }, testNow);
  for (const peer of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
    expect([from(peer), from(peer)]).toEqual([null, null]);
  }
  expect(from("192.0.2.1")).toEqual(later);
  expect(attempts.take({ account: "b@example.com", peer: "192.0.2.1" }, testNow)).toBeNull();
  expect(attempts.take({ account: "a@example.com", peer: "192.0.2.1" }, later)).toBeNull();
});

test("failures from many networks leave two tries to every other network", () => {
  const attempts = createAttempts({ account: 6, here: 4, peer: 100 });
  const from = (peer: string) => attempts.take({ account: "a@example.com", peer }, testNow);
  for (const peer of ["192.0.2.1", "192.0.2.2", "192.0.2.3"])
    for (let n = 0; n < 9; n++) from(peer);
  expect([from("192.0.2.4"), from("192.0.2.4")]).toEqual([null, null]);
  expect(from("192.0.2.4")).toEqual(later);
});

test("failures from one network lock out nobody from another", () => {
  const attempts = createAttempts({ account: 6, here: 3, peer: 100 });
  const from = (peer: string | null) => attempts.take({ account: "a@example.com", peer }, testNow);
  const stranger = Array.from({ length: 50 }, () => from("2001:db8::1"));
  expect(stranger.filter((until) => until === null)).toHaveLength(3);
  expect(from("2001:db8::2")).toEqual(later);
  expect([from("192.0.2.1"), from(null)]).toEqual([null, null]);
});

test("a peer has so many attempts, at whichever accounts", () => {
  const attempts = createAttempts({ account: 100, here: 100, peer: 2 });
  const at = (account: string) => attempts.take({ account, peer: "192.0.2.1" }, testNow);
  expect([at("a"), at("b")]).toEqual([null, null]);
  expect(at("c")).toEqual(later);
});

test("a refused attempt is not counted again, and a success is given back", () => {
  const attempts = createAttempts({ account: 1, here: 1, peer: 100 });
  const keys = { account: "a", peer: null };
  expect(attempts.take(keys, testNow)).toBeNull();
  expect(attempts.take(keys, testNow)).toEqual(later);
  attempts.giveBack(keys, testNow);
  expect(attempts.take(keys, testNow)).toBeNull();
});

test("twenty thousand names take no more room, and the counted one stays counted", () => {
  const attempts = createAttempts({ account: 5, here: 5, peer: 100 });
  for (let index = 0; index < 5; index += 1) attempts.take({ account: "a", peer: null }, testNow);
  for (let index = 0; index < 20_000; index += 1) {
    attempts.take({ account: `name ${index}`, peer: null }, testNow);
  }
  expect(attempts.take({ account: "a", peer: null }, testNow)).toEqual(later);
});
