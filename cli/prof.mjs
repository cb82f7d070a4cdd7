#!/usr/bin/env node
// The package's bin. TypeScript is bundled and run by the one mechanism there is for it.
process.argv.splice(2, 0, "cli/main.ts");
await import("../server/run.mjs");
