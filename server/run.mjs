#!/usr/bin/env node
// Bundles a TypeScript entry and runs it: node server/run.mjs server/main.ts [arguments]
// Packages stay outside the bundle; only our own rooms are compiled, into dist/.
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const [, , entry, ...rest] = process.argv;
const outfile = path.join(root, "dist", entry.replace(/\.ts$/, ".mjs"));
const { outputFiles } = await build({
  write: false,
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
try {
  await mkdir(path.dirname(outfile), { recursive: true });
  for (const { path: file, contents } of outputFiles) {
    // Another start may be reading the file: it gets the old one or the new one, never half of one.
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, contents);
    await rename(draft, file);
  }
} catch (error) {
  if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
  const folder = path.dirname(outfile);
  process.stderr.write(`${folder} cannot be written. Run this as the user who runs the gateway.\n`);
  process.exit(1);
}
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], outfile, ...rest];
await import(pathToFileURL(outfile).href);
