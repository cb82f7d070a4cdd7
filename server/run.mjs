#!/usr/bin/env node
// Bundles a TypeScript entry and runs it: node server/run.mjs server/main.ts [arguments]
// Packages stay outside the bundle; only our own rooms are compiled, into dist/.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const [, , entry, ...rest] = process.argv;
const outfile = path.join(root, "dist", entry.replace(/\.ts$/, ".mjs"));
await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: true,
  logLevel: "warning",
});
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], outfile, ...rest];
await import(pathToFileURL(outfile).href);
