import { expect, test } from "vitest";
import { z } from "zod";
import { choice, param, place, searchParams, words } from "./search-params";

const page = searchParams("/list", {
  q: words(5),
  state: choice(["live", "archived"], "live"),
  day: param(z.iso.date()),
  after: place,
});

test("an address is read as it was written", () => {
  const after = { at: new Date("2026-03-01T12:00:00.000Z"), id: "mem_1", tier: 1 };
  const href = page.href({ q: "train", state: "archived", day: "2026-03-01", after });
  const query = Object.fromEntries(new URL(href, "http://localhost").searchParams);
  expect(page.read(query)).toEqual({ q: "train", state: "archived", day: "2026-03-01", after });
});

test("what is usual is left out of an address", () => {
  expect(page.href({ state: "live" })).toBe("/list");
  expect(page.href({ state: "archived" })).toBe("/list?state=archived");
});

test("an address that is not valid shows what a bare one shows", () => {
  const bare = page.read({});
  expect(bare).toEqual({ state: "live" });
  const odd = { q: " ", state: ["live", "archived"], day: "2026-02-30", after: "x~y", more: "1" };
  expect(page.read(odd)).toEqual(bare);
  expect(page.read({ q: "\0", state: "gone" })).toEqual(bare);
});

test("words are cut to their bound", () => {
  expect(page.read({ q: "  a long sentence " }).q).toBe("a lon");
});
