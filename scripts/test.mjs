#!/usr/bin/env node
// All tests, the fast ones first, and one closing line. `--fast` leaves out what is slow to run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findBrowser, findRedis } from "./requirements.mjs";

const isFast = process.argv.includes("--fast");
const bin = path.resolve("node_modules/.bin");
const reports = mkdtempSync(path.join(tmpdir(), "gateway-reports-"));
let passed = 0;
let failed = 0;

if (!isFast) requireMachine();
check("Format and lint", "biome", ["ci", "--error-on-warnings", "."]);
check("Types", "next", ["typegen"]);
check("Types", "tsc", ["--noEmit"]);
runVitest(isFast ? ["--project", "fast"] : []);
if (!isFast) runPlaywright();
if (!isFast) runFaults();

rmSync(reports, { recursive: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

function requireMachine() {
  process.env.PLAYWRIGHT_CHROMIUM = findBrowser() ?? "";
  const missing = [
    process.env.PLAYWRIGHT_CHROMIUM ? null : "Chromium (or set PLAYWRIGHT_CHROMIUM to one)",
    findRedis() ? null : "redis-server",
  ].filter(Boolean);
  if (missing.length === 0) return;
  process.stderr.write(
    `The tests need ${missing.join(" and ")}. Install it, then run them again.\n`,
  );
  process.exit(1);
}

function check(title, command, args) {
  heading(title, command);
  count(run(command, args) === 0 ? { passes: 1, failures: 0 } : { passes: 0, failures: 1 });
}

function runVitest(args) {
  heading("Unit and integration tests", "vitest");
  const file = path.join(reports, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const status = run("vitest", ["run", ...args, ...reporters]);
  const { numPassedTests = 0, numFailedTests = 0 } = read(file);
  count({ passes: numPassedTests, failures: atLeastOne(numFailedTests, status) });
}

function runPlaywright() {
  heading("Browser tests", "playwright");
  const file = path.join(reports, "playwright.json");
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = file;
  const status = run("playwright", ["test", "--reporter=list,json"]);
  const { stats = {} } = read(file);
  const { expected = 0, unexpected = 0, flaky = 0 } = stats;
  count({ passes: expected, failures: atLeastOne(unexpected + flaky, status) });
}

// Each kind of fault once. It prints what held and what did not.
function runFaults() {
  heading("Faults under load", "bench/faults");
  const args = ["server/run.mjs", "bench/faults/main.ts", "--minutes", "3"];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  count(status === 0 ? { passes: 1, failures: 0 } : { passes: 0, failures: 1 });
}

// A runner that ended badly without naming a test has failed all the same.
function atLeastOne(failures, status) {
  return status === 0 ? failures : Math.max(1, failures);
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

function run(command, args) {
  const { status } = spawnSync(path.join(bin, command), args, { stdio: "inherit" });
  return status ?? 1;
}

function heading(title, command) {
  process.stdout.write(`\n── ${title} (${command})\n`);
}

function count({ passes, failures }) {
  passed += passes;
  failed += failures;
}
