import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { buildIfStale } from "./build";

const folders: string[] = [];
let root: string;
let builds: number;

beforeEach(async () => {
  builds = 0;
  root = await mkdtemp(path.join(tmpdir(), "gateway-build-"));
  folders.push(root);
  for (const folder of ["app", "lib", "public"]) await mkdir(path.join(root, folder));
  const files = ["next.config.js", "instrumentation.ts", "postcss.config.mjs", "proxy.ts"];
  const packages = ["tsconfig.json", "package.json", "package-lock.json"];
  for (const file of [...files, ...packages, "app/page.tsx"]) await change(file, "one");
});

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

function change(file: string, text: string): Promise<void> {
  return writeFile(path.join(root, file), text);
}

function start(build = async () => {}): Promise<void> {
  return buildIfStale(
    root,
    () => undefined,
    async (at) => {
      builds++;
      await build();
      await mkdir(path.join(at, ".next"), { recursive: true });
    },
  );
}

test.each(["app/page.tsx", "package-lock.json"])(
  "the pages are built once, and again after %s changed",
  async (file) => {
    await start();
    await start();
    expect(builds).toBe(1);
    await change(file, "another");
    await start();
    expect(builds).toBe(2);
  },
);

test("a touched source with the same text is not rebuilt", async () => {
  await start();
  const later = new Date(Date.now() + 60_000);
  await utimes(path.join(root, "app/page.tsx"), later, later);
  await start();
  expect(builds).toBe(1);
});

test("nothing is built where there are no sources", async () => {
  await rm(path.join(root, "app"), { recursive: true });
  await start();
  expect(builds).toBe(0);
});

test("one of several concurrent starts builds, and the others use its build", async () => {
  await Promise.all([start(), start(), start()]);
  expect(builds).toBe(1);
});

test("after a build that failed, the next in turn tries", async () => {
  let fail = () => {};
  const failing = start(
    () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(new Error("the disk is full"));
      }),
  );
  await expect.poll(() => builds).toBe(1);
  const next = start();
  fail();
  const starts = await Promise.allSettled([failing, next]);
  expect(starts.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  await expect(stat(path.join(root, ".next-building"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("a builder that was taken for dead does not take the turn from its successor", async () => {
  const turn = path.join(root, ".next-building");
  const longAgo = new Date(Date.now() - 60_000);
  let finish = () => {};
  const first = start(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  await expect.poll(() => builds).toBe(1);
  await rm(turn);
  await writeFile(turn, "of another");
  await utimes(turn, longAgo, longAgo);
  const touchedAt = async () => (await stat(turn)).mtimeMs;
  const before = await touchedAt();
  finish();
  await first;
  expect(await touchedAt()).toBe(before);
});

test("a start that was killed while it built holds nobody up", async () => {
  const left = path.join(root, ".next-building");
  await writeFile(left, "");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(left, longAgo, longAgo);
  await start();
  expect(builds).toBe(1);
});
