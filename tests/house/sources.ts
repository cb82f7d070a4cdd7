import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Source {
  file: string;
  text: string;
}

const folders = ["app", "bench", "cli", "conformance", "e2e", "lib", "prisma", "server", "tests"];
const sourceName = /\.(ts|tsx|mjs|js)$/;
const testName = /\.(test|spec)\.tsx?$/;
const importLine =
  /^(?:import|export|\}).*? from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** Folders that help tests. They may import what the module beside them may not; no other folder may. */
export const supportFolders = [
  "bench/speed/testing",
  "conformance/testing",
  "lib/rules/testing",
  "tests/faults/testing",
  "tests/fuzz/testing",
  "tests/security/testing",
  "tests/support",
];

/** Lists every file of the repository that we wrote, the root's source files included. */
export function ownFiles(): string[] {
  return readdirSync(".")
    .filter((name) => folders.includes(name) || sourceName.test(name))
    .flatMap((name) => (folders.includes(name) ? filesBelow(name) : [name]))
    .filter((file) => !file.startsWith("lib/engine/prisma-client/") && file !== "next-env.d.ts");
}

export function ownSources(): Source[] {
  return ownFiles()
    .filter((file) => sourceName.test(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
}

export function isTest(file: string): boolean {
  return testName.test(file);
}

export function isSupport(file: string): boolean {
  return supportFolders.some((folder) => file.startsWith(`${folder}/`));
}

/** Returns what a file imports: paths from the root without their ending, or names of packages. */
export function importsOf({ file, text }: Source): string[] {
  return [...text.matchAll(importLine)].map(([, from, bare, dynamic]) => {
    const name = from ?? bare ?? dynamic ?? "";
    if (name.startsWith(".")) return path.join(path.dirname(file), name);
    return name.startsWith("@/") ? name.slice(2) : name;
  });
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((e) => path.join(e.parentPath, e.name));
}
