import { existsSync } from "node:fs";
import { defineConfig } from "playwright/test";

// GATEWAY_URL: a gateway that already runs; without it, e2e/gateway.ts starts one of its own.
// PLAYWRIGHT_CHROMIUM: the browser to use; without it, a system one, else Playwright's own.
const { GATEWAY_URL, PLAYWRIGHT_CHROMIUM } = process.env;
const systemOnes = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = PLAYWRIGHT_CHROMIUM ?? systemOnes.find((file) => existsSync(file));
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/gateway.ts",
  outputDir: "test-results",
  fullyParallel: false,
  workers: 1,
  timeout: 30_000,
  reporter: "list",
  use: {
    baseURL: GATEWAY_URL,
    launchOptions: { executablePath, args: isRoot ? ["--no-sandbox"] : [] },
    trace: "retain-on-failure",
  },
});
