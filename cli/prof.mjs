#!/usr/bin/env node
// The package's binary, bundled and run like every other program here.
process.argv.splice(2, 0, "cli/main.ts");
await import("../server/run.mjs");
