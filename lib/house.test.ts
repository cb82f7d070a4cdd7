import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { importsOf, isSupport, isTest, ownFiles, ownSources } from "@/tests/house/sources";

// The rules of CONTRIBUTING.md that import lines and lengths can show. A failure lists each breach.
// Files at the root are configuration, and what Next.js wants there: proxy.ts and instrumentation.ts.

const files = ownFiles();
const sources = ownSources();
const modules = sources.filter(({ file }) => !isTest(file) && !isSupport(file));

test.each([
  ["lib/protocol imports zod and itself only", /^lib\/protocol\//, /^(zod$|lib\/protocol\/)/],
  ["lib/rules imports lib/protocol and itself only", /^lib\/rules\//, /^lib\/(rules|protocol)\//],
  [
    "lib/oauth imports zod, lib/protocol and itself only",
    /^lib\/oauth\//,
    /^(zod$|lib\/(oauth|protocol)\/)/,
  ],
  ["lib/engine imports no other floor", /^lib\/engine\//, /^(?!app\/|server\/|lib\/(?!engine\/))/],
  [
    "lib/services imports no Next.js and no floor above it",
    /^lib\/services\//,
    /^(?!next|app\/|server\/|lib\/(http|auth)\/)/,
  ],
  ["lib/auth imports no floor above it", /^lib\/auth\//, /^(?!app\/|server\/|lib\/http\/)/],
  ["lib/http imports no floor above it", /^lib\/http\//, /^(?!app\/|server\/)/],
  ["app does not import server", /^app\//, /^(?!server\/)/],
  ["only tests import tests", /^(?!tests\/)/, /^(?!tests\/)/],
  [
    "app/_components takes lib/protocol only",
    /^app\/_components\//,
    /^(?!server\/|lib\/(?!protocol\/))/,
  ],
  [
    "e2e, bench, conformance, cli and tests take lib/protocol only",
    /^((e2e|bench|conformance|cli)\/(?!prof\.mjs$)|tests\/(?!support\/))/,
    /^(?!app\/|server\/|lib\/(?!protocol\/))/,
  ],
  [
    "only lib/http, lib/auth/session.ts, app and server/pages.ts import Next.js",
    /^(?!app\/|lib\/http\/|lib\/auth\/session\.ts$|server\/pages\.ts$|[^/]+$)/,
    /^(?!next)/,
  ],
])("%s", (_rule, where, allowed) => {
  const breaches = modules
    .filter(({ file }) => where.test(file))
    .flatMap((source) => importsOf(source).map((name) => ({ file: source.file, name })))
    .filter(({ name }) => !allowed.test(name));
  expect(breaches.map(({ file, name }) => `${file} imports ${name}`)).toEqual([]);
});

test.each([
  [
    "only lib/engine/env.ts, and cli/config.ts for the client, read process.env",
    /^(?!e2e\/|[^/]+$|lib\/engine\/env\.ts$|cli\/config\.ts$)/,
    /process\.env\b|"node:process"/,
  ],
  ["no page says `npx prof`, a name that anybody may register", /^app\//, /npx prof/],
  ["no query of Prisma is glued together", /^/, /\$(query|execute)RawUnsafe|Prisma\.raw\(/],
  [
    // To Prisma `%` and `_` in these are wildcards.
    "no text reaches contains, startsWith or endsWith of Prisma but through literal()",
    /^(app|lib|server)\//,
    /\b(contains|startsWith|endsWith): (?!literal\()/,
  ],
  [
    "lib/protocol and lib/rules have no clock but the client's default",
    /^lib\/(protocol|rules)\//,
    /(?<!now = \(\) => )new Date\(\)|Date\.now|performance\.now/,
  ],
])("%s", (_rule, where, banned) => {
  const breaches = modules.filter(({ file, text }) => where.test(file) && banned.test(text));
  expect(breaches.map(({ file }) => file)).toEqual([]);
});

test("a room has at most 250 lines", () => {
  const lengths = sources.map(({ file, text }) => ({ file, lines: text.split("\n").length - 1 }));
  const breaches = lengths.filter(({ file, lines }) => !isTest(file) && lines > 250);
  expect(breaches).toEqual([]);
});

test("no text has a word that was put aside for a plain one", () => {
  const out = /\b(whoever|anew|meanwhile)\b/i;
  const texts = files.filter((file) => file !== "lib/house.test.ts" && /\.(tsx?|md)$/.test(file));
  expect(texts.filter((file) => out.test(readFileSync(file, "utf8")))).toEqual([]);
});

test("a folder has at most 12 files, tests aside", () => {
  const crowd = new Map<string, number>();
  for (const file of files.filter((name) => name.includes("/") && !isTest(name))) {
    crowd.set(path.dirname(file), (crowd.get(path.dirname(file)) ?? 0) + 1);
  }
  expect([...crowd].filter(([, count]) => count > 12)).toEqual([]);
});

test("vitest.config.ts names test files that exist", () => {
  const config = readFileSync("vitest.config.ts", "utf8");
  const named = [...config.matchAll(/"([^"*]+\.test\.ts)"/g)].flatMap(([, name = ""]) =>
    each(name),
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !existsSync(name))).toEqual([]);
});

/** The paths that a choice in braces spells. */
function each(name: string): string[] {
  const [, before = "", choices, after = ""] = /^(.*?)\{(.*?)\}(.*)$/.exec(name) ?? [];
  if (choices === undefined) return [name];
  return choices.split(",").flatMap((one) => each(before + one + after));
}

test("SECURITY.md names tests that exist", () => {
  const rows = readFileSync("SECURITY.md", "utf8").split("\n").slice(1);
  const named = rows
    .filter((row) => row.startsWith("| ") && !/^\| (Threat|---)/.test(row))
    .map((row) => [...(row.split("|")[3] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(20);
  for (const tests of named) {
    expect(tests).not.toEqual([]);
    const missing = tests.filter((name = "") => !name.startsWith("npm run ") && !existsSync(name));
    expect(missing).toEqual([]);
  }
});
