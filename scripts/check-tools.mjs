#!/usr/bin/env node
import { findBrowser, findFaketime, findRedis } from "./requirements.mjs";

// Runs before `npm test`: names every missing tool at once, instead of failing in the middle.

const missing = [
  findBrowser() ? null : "Chromium (or set PLAYWRIGHT_CHROMIUM to one)",
  findRedis() ? null : "redis-server",
  findFaketime() ? null : "libfaketime",
].filter(Boolean);
if (missing.length > 0) {
  process.stderr.write(
    `The tests need ${missing.join(" and ")}. Install it, then run them again.\n`,
  );
  process.exitCode = 1;
}
