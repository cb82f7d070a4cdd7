import { describe, expect, test } from "vitest";
import { UsageError } from "@/cli/failure";
import { findPages, type Visitor } from "./browse";
import { quantile } from "./measure";
import { readOptions } from "./options";
import { breachesOf } from "./report";
import { dice, sentence } from "./seed/sentences";

const page = {
  address: "/dashboard",
  status: 200,
  medianMs: 299,
  p95Ms: 900,
  htmlKb: 40,
  scriptsKb: 199,
  growthMb: 24.9,
};

describe("a page", () => {
  test("within every bound breaks none", () => {
    expect(breachesOf(page)).toEqual([]);
  });

  test.each([
    [{ medianMs: 300 }, "/dashboard takes 300 ms"],
    [{ scriptsKb: 200 }, "/dashboard loads 200 KB of scripts"],
    [{ growthMb: 25 }, "/dashboard leaves 25.0 MB behind"],
    [{ status: 500 }, "/dashboard answers 500"],
  ])("with %o is named with what it breaks", (figures, told) => {
    expect(breachesOf({ ...page, ...figures })).toEqual([told]);
  });
});

test("pages are found by following links, one of each kind", async () => {
  const html: Record<string, string> = {
    "/dashboard": '<a class="x" href="/dashboard/agents">A</a><a href="/docs">D</a>',
    "/dashboard/agents":
      '<a href="/dashboard/agents/did%3Aprof%3Aagent%3Alocal%3Ais">I</a>' +
      '<a href="/dashboard/agents/did%3Aprof%3Aagent%3Alocal%3At">T</a>' +
      '<a href="/dashboard/agents?sort=name&amp;before=1">N</a><a href="/dashboard/agents#x">X</a>',
  };
  const visitor: Visitor = {
    load: async (address) => ({ status: 200, html: html[address] ?? "", ms: 1 }),
  };
  expect(await findPages(visitor, "dashboard")).toEqual([
    "/dashboard",
    "/dashboard/agents",
    "/dashboard/agents/did%3Aprof%3Aagent%3Alocal%3Ais",
    "/dashboard/agents?sort=name&before=1",
  ]);
});

test("of the admin pages none leaves them, and none is a file", async () => {
  const html =
    '<a href="/dashboard">D</a><a href="/admin/users?only=admin">U</a>' +
    '<a href="/admin/activity/export/csv">C</a>';
  const visitor: Visitor = { load: async () => ({ status: 200, html, ms: 1 }) };
  expect(await findPages(visitor, "admin")).toEqual(["/admin/agents", "/admin/users?only=admin"]);
});

test("median and p95 are values that were measured", () => {
  const values = Array.from({ length: 40 }, (_, number) => 40 - number);
  expect(quantile(values, 0.5)).toBe(20);
  expect(quantile(values, 0.95)).toBe(38);
});

test("the same seed writes the same sentences, and hardly any twice", () => {
  const many = () => {
    const throws = dice(1);
    return Array.from({ length: 5_000 }, () => sentence(throws));
  };
  expect(many()).toEqual(many());
  expect(new Set(many()).size).toBeGreaterThan(4_990);
});

test("a gateway that runs already needs somebody who signs in", () => {
  expect(() => readOptions(["--url", "http://localhost:3000"])).toThrow(UsageError);
  expect(readOptions(["--events", "5"]).amounts).toMatchObject({ memories: 10_000, events: 5 });
});
