#!/usr/bin/env node
// All tests, the fast ones first, and one closing line. `--fast` leaves out what is slow to run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findBrowser, findFaketime, findRedis } from "./requirements.mjs";

const isFast = process.argv.includes("--fast");
// What was expected, what came, and where.
const reasonLinesMax = 20;
const bin = path.resolve("node_modules/.bin");
const reports = mkdtempSync(path.join(tmpdir(), "gateway-reports-"));
let passed = 0;
const failed = [];

if (!isFast) requireMachine();
check("Format and lint", "biome", ["ci", "--error-on-warnings", "."]);
check("Types", "next", ["typegen"]);
check("Types", "tsc", ["--noEmit"]);
runVitest(isFast ? ["--project", "fast"] : []);
if (!isFast) runPlaywright();
if (!isFast) runFaults();

rmSync(reports, { recursive: true });
// Last, as whoever reads the end of a long output looks for nothing else.
for (const { name, why } of failed) {
  process.stdout.write(`\nFailed: ${name}\n`);
  if (why) process.stdout.write(`${why.split("\n").slice(0, reasonLinesMax).join("\n")}\n`);
}
process.stdout.write(`\n${passed} passed, ${failed.length} failed\n`);
process.exit(failed.length === 0 ? 0 : 1);

function requireMachine() {
  process.env.PLAYWRIGHT_CHROMIUM = findBrowser() ?? "";
  const missing = [
    process.env.PLAYWRIGHT_CHROMIUM ? null : "Chromium (or set PLAYWRIGHT_CHROMIUM to one)",
    findRedis() ? null : "redis-server",
    findFaketime() ? null : "libfaketime",
  ].filter(Boolean);
  if (missing.length === 0) return;
  process.stderr.write(
    `The tests need ${missing.join(" and ")}. Install it, then run them again.\n`,
  );
  process.exit(1);
}

function check(title, command, args) {
  heading(title, command);
  countWhole(command, run(command, args));
}

function runVitest(args) {
  heading("Unit and integration tests", "vitest");
  const file = path.join(reports, "vitest.json");
  process.env.TEST_REPORT = file;
  const reporters = ["--reporter=default", "--reporter=./scripts/named-failures.mjs"];
  const status = run("vitest", ["run", ...args, ...reporters]);
  const { passes = 0, failures = [] } = read(file);
  count("vitest", { status, passes, failures });
}

function runPlaywright() {
  heading("Browser tests", "playwright");
  const file = path.join(reports, "playwright.json");
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = file;
  const status = run("playwright", ["test", "--reporter=list,json"]);
  const { errors = [], ...report } = read(file);
  const specs = specsOf(report);
  const those = (words) =>
    specs.filter(({ tests }) => tests.some((one) => words.includes(one.status)));
  const failures = [
    ...those(["unexpected", "flaky"]).map(({ file: at, title, tests }) => ({
      name: `e2e/${at}: ${title}`,
      why: tests.flatMap(({ results }) => results).find(({ error }) => error)?.error.message,
    })),
    ...errors.map(({ message }) => ({ name: "playwright", why: message })),
  ];
  count("playwright", { status, passes: those(["expected"]).length, failures });
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

// Each kind of fault once. It prints what held and what did not.
function runFaults() {
  heading("Faults under load", "tests/faults");
  const args = ["server/run.mjs", "tests/faults/main.ts", "--minutes", "3"];
  countWhole("tests/faults", ended(spawnSync(process.execPath, args, { stdio: "inherit" })));
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

function run(command, args) {
  return ended(spawnSync(path.join(bin, command), args, { stdio: "inherit" }));
}

// 0 where all is well; else its number, or the signal that ended it, or why it never began.
function ended({ status, signal, error }) {
  return status ?? signal ?? error?.message;
}

function heading(title, command) {
  process.stdout.write(`\n── ${title} (${command})\n`);
}

// What counts as one.
function countWhole(name, status) {
  count(name, { status, passes: status === 0 ? 1 : 0, failures: [] });
}

// A runner that ended badly without naming a test has failed all the same.
function count(runner, { status, passes, failures }) {
  passed += passes;
  failed.push(
    ...(status !== 0 && failures.length === 0
      ? [{ name: `${runner}, which ended with ${status}` }]
      : failures),
  );
}
