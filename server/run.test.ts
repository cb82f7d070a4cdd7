import { spawnSync } from "node:child_process";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = await mkdtemp(path.join(tmpdir(), "gateway-run-"));
afterAll(() => rm(root, { recursive: true }));
const written = new Date("2026-03-01T12:00:00.000Z");
const bundled = path.join(root, "dist/server/greet.mjs");

beforeAll(async () => {
  await mkdir(path.join(root, "server"));
  await copyFile("server/run.mjs", path.join(root, "server/run.mjs"));
  await utimes(path.join(root, "server/run.mjs"), written, written);
  await symlink(path.resolve("node_modules"), path.join(root, "node_modules"));
  await write(
    "server/greet.ts",
    `import { word } from "./word"; console.log(word as string, process.argv[2]);`,
  );
  await write("server/word.ts", `export const word = "Hello";`);
});

async function write(file: string, text: string, at = written): Promise<void> {
  await writeFile(path.join(root, file), text);
  await utimes(path.join(root, file), at, at);
}

function greet(whom: string, ...flags: string[]): string {
  const args = [...flags, path.join(root, "server/run.mjs"), "server/greet.ts", whom];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  return stdout + stderr;
}

test("a program runs with its arguments, and is bundled once", async () => {
  expect(greet("Alice")).toBe("Hello Alice\n");
  const { mtimeMs } = await stat(bundled);
  expect(greet("Iris")).toBe("Hello Iris\n");
  expect((await stat(bundled)).mtimeMs).toBe(mtimeMs);
});

test("a changed source counts from the next run on, even with an older time", async () => {
  await write(
    "server/word.ts",
    `export const word = "Howdy";`,
    new Date("2026-02-01T12:00:00.000Z"),
  );
  expect(greet("Alice")).toBe("Howdy Alice\n");
});

test("the next run checks again after a source changed during bundling", async () => {
  await rm(bundled);
  const longAgo = "--import=data:text/javascript,Date.now=()=>0";
  expect(greet("Alice", longAgo)).toBe("Howdy Alice\n");
  const { mtimeMs } = await stat(bundled);
  expect(greet("Alice")).toBe("Howdy Alice\n");
  expect((await stat(bundled)).mtimeMs).toBeGreaterThan(mtimeMs);
});

test("a bundle whose last line is torn is made again", async () => {
  const whole = await readFile(bundled, "utf8");
  await writeFile(bundled, whole.slice(0, -20));
  expect(greet("Alice")).toBe("Howdy Alice\n");
  expect((await readFile(bundled, "utf8")).length).toBeGreaterThanOrEqual(whole.length - 5);
});

test("a source that is gone is told of, and the bundle that had it is not run", async () => {
  await rm(path.join(root, "server/word.ts"));
  expect(greet("Alice")).toContain(`Could not resolve "./word"`);
});

test("--bundle bundles without running, and the bundle runs where its sources are gone", async () => {
  await write("server/word.ts", `export const word = "Hi";`);
  const args = [path.join(root, "server/run.mjs"), "--bundle", "server/greet.ts"];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  expect([status, stdout]).toEqual([0, ""]);
  await rm(path.join(root, "server/greet.ts"));
  await rm(path.join(root, "server/word.ts"));
  expect(greet("Alice")).toBe("Hi Alice\n");
});
