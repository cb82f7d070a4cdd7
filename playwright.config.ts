import { defineConfig } from "playwright/test";
import { findBrowser } from "./scripts/requirements.mjs";

// Each worker has a demo of its own: two tests at once would find each other's proposals in one inbox.
const { TEST_PARALLEL_INDEX } = process.env;
for (const name of ["DEMO_URL", "DEMO_FOLDER"]) {
  const own = process.env[`${name}_${TEST_PARALLEL_INDEX}`];
  if (own !== undefined) process.env[name] = own;
}

// GATEWAY_URL and DEMO_URL (with DEMO_FOLDER, where its demo.json is): gateways that already run, the
// first without users, the second with the demo's; without them, e2e/gateway.ts starts its own.
// PLAYWRIGHT_CHROMIUM: the browser to use; without it, Playwright's own or a system one.
const { GATEWAY_URL, DEMO_URL, NIGHT } = process.env;
const executablePath = findBrowser() ?? undefined;
const isRoot = process.getuid?.() === 0;

// These tests describe an empty gateway; all others use the demo's data.
const onEmpty = "accounts.spec.ts";
// These take minutes, and measure the machine: NIGHT=1 runs them, one after another, and those that do less by day.
const atNight = "night/*.spec.ts";
const lessByDay = "injection.spec.ts";
const day = [
  { name: "empty", testMatch: onEmpty, use: { baseURL: GATEWAY_URL } },
  { name: "demo", testIgnore: [onEmpty, atNight], use: { baseURL: DEMO_URL } },
];
const night = [{ name: "night", testMatch: [atNight, lessByDay], use: { baseURL: DEMO_URL } }];

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/gateway.ts",
  outputDir: "test-results",
  fullyParallel: false,
  workers: DEMO_URL === undefined && NIGHT !== "1" ? 2 : 1,
  timeout: 90_000,
  // A busy machine is no failure.
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    // A colour on its way to another one is no colour to judge.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { executablePath, args: isRoot ? ["--no-sandbox"] : [] },
    // It costs a good part of the time; `npx playwright test --trace retain-on-failure` where it is needed.
    trace: "off",
  },
  projects: NIGHT === "1" ? night : day,
});
