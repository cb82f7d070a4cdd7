#!/usr/bin/env node
// Bundles a TypeScript entry and runs it: node server/run.mjs server/main.ts [arguments]
// Packages stay outside the bundle; only our own rooms are compiled, into dist/, where a source has changed.
// Bundles several without running them: node server/run.mjs --bundle server/main.ts server/admin/main.ts
import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

const root = path.resolve(import.meta.dirname, "..");
const [program, , first, ...rest] = process.argv;
const entries = first === "--bundle" ? rest : [first];
// Last line of a bundle: its sources and their state. Part of the bundle, so that both are replaced together.
const madeFrom = "\n// made from ";
// Other inputs of a build: its script, its versions, and the import paths.
const settings = ["server/run.mjs", "package-lock.json", "tsconfig.json"];

for (const entry of entries) {
  const outfile = outfileOf(entry);
  try {
    if (!(await isFresh(entry, outfile))) await bundle(entry, outfile);
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
    const folder = path.dirname(outfile);
    process.stderr.write(
      `${folder} cannot be written. Run this as the user who runs the gateway.\n`,
    );
    process.exit(1);
  }
}
if (first !== "--bundle") {
  const outfile = outfileOf(first);
  process.setSourceMapsEnabled(true);
  process.argv = [program, outfile, ...rest];
  await import(pathToFileURL(outfile).href);
}

function outfileOf(entry) {
  return path.join(root, "dist", entry.replace(/\.ts$/, ".mjs"));
}

async function isFresh(entry, outfile) {
  // An image has bundles without sources.
  if (!existsSync(path.join(root, entry)) && existsSync(outfile)) return true;
  const bundled = await readFile(outfile, "utf8").catch(() => "");
  const at = bundled.lastIndexOf(madeFrom);
  if (at === -1) return false;
  try {
    const states = JSON.parse(bundled.slice(at + madeFrom.length));
    return Object.entries(states).every(([source, state]) => stateOf(source) === state);
  } catch {
    // Torn by a crash of the machine: it is built again.
    return false;
  }
}

async function bundle(entry, outfile) {
  const began = Date.now();
  // Imported here, because loading takes a while and most starts do not need it.
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    write: false,
    metafile: true,
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
  const sources = [...settings, ...Object.keys(metafile.inputs)];
  const states = Object.fromEntries(sources.map((source) => [source, stateOf(source)]));
  // A source changed during the build may have been read before or after its change; the next start looks
  // again. Runs last, so that no change falls between this check and the stamp.
  const wasChanged = sources.some((source) => look(source).ctimeMs >= began);
  const stamp = wasChanged ? "" : madeFrom + JSON.stringify(states);
  await mkdir(path.dirname(outfile), { recursive: true });
  for (const { path: file, contents } of outputFiles) {
    // Another start may be reading the file: it gets the old one or the new one, never half of one.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, file === outfile ? Buffer.from(contents) + stamp : contents);
    await rename(draft, file);
  }
}

// A copy may bring its time along; when the file itself was changed, it cannot.
function stateOf(source) {
  const { mtimeMs, ctimeMs, size } = look(source);
  return `${mtimeMs} ${ctimeMs} ${size}`;
}

function look(source) {
  return statSync(path.join(root, source), { throwIfNoEntry: false }) ?? {};
}
