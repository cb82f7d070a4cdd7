import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, stat, symlink } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { buildIfStale } from "@/server/build";
import { cloneDatabase } from "@/tests/support/database";
import { run } from "@/tests/support/processes";
import { bundledPrograms, copiedFiles } from "./dockerfile-problems";

// A folder with the files that the image has in /app, and none besides.

const dockerfile = readFileSync("Dockerfile", "utf8");
const scratch = await mkdtemp(path.join(tmpdir(), "gateway-image-"));
const app = path.join(scratch, "app");
const pathTemplate = "server/front-door/path-template.ts";

beforeAll(async () => {
  await buildIfStale(process.cwd(), () => undefined);
  const bundles = ["server/run.mjs", "--bundle", ...bundledPrograms(dockerfile), pathTemplate];
  const { status, stderr } = spawnSync(process.execPath, bundles, { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  await mkdir(app);
  for (const file of copiedFiles(dockerfile)) await copy(file);
  // A build of the pages takes a while.
}, 400_000);

afterAll(() => rm(scratch, { recursive: true }));

async function copy(file: string): Promise<void> {
  const [from, to] = [path.resolve(file), path.join(app, file)];
  await mkdir(path.dirname(to), { recursive: true });
  if (file === "node_modules") return symlink(from, to);
  const isLeftOut = (source: string) =>
    /\.test\.tsx?$/.test(source) || source.endsWith(".next/cache");
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !isLeftOut(source),
  });
}

/** Returns each file of /app with the time of its last change. */
async function filesOfApp(): Promise<Record<string, number>> {
  const entries = await readdir(app, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, (await stat(file)).mtimeMs])),
  );
}

function templates(folder: string): string {
  const targets = ["/prof/v1/profile/x/memories", "/link/x", "/api/admin/users/x", "/admin/x"];
  const code = `import { pathTemplate } from ${JSON.stringify(path.join(app, "dist", pathTemplate.replace(".ts", ".mjs")))};
    console.log(${JSON.stringify(targets)}.map(pathTemplate).join("\\n"));`;
  const args = ["--input-type=module", "--eval", code];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout;
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return String(port);
}

test("the gateway starts, answers, writes nothing beside its data, and the probe says whether it is ready", async () => {
  const before = await filesOfApp();
  const env = {
    HOST: "0.0.0.0",
    PORT: await freePort(),
    PUBLIC_URL: "https://gateway.example.com",
    DATA_FOLDER: path.join(scratch, "data"),
    DATABASE_URL: await cloneDatabase(),
    METRICS_TOKEN: "0123456789abcdef0123456789abcdef",
    BACKUP_AT: "off",
    HOME: scratch,
  };
  const gateway = run(["server/run.mjs", "server/main.ts"], env, app);
  onTestFinished(async () => {
    await gateway.stop();
  });
  await gateway.says(/First admin/);
  const headers = { Host: "gateway.example.com" };
  const statusOf = async (target: string) =>
    (await fetch(`http://127.0.0.1:${env.PORT}${target}`, { headers })).status;
  expect(await statusOf("/sign-in")).toBe(200);
  expect(await statusOf("/docs/guide")).toBe(200);
  expect(await statusOf("/prof/v1/profile")).toBe(401);

  const probe = async (changed: Partial<typeof env> = {}) => {
    const program = run(["server/run.mjs", "server/probe/main.ts"], { ...env, ...changed }, app);
    return [await program.ended, program.output()];
  };
  expect(await probe()).toEqual([0, ""]);
  expect(await probe({ METRICS_TOKEN: "" })).toEqual([0, ""]);
  const wrong = { METRICS_TOKEN: env.METRICS_TOKEN.toUpperCase() };
  expect(await probe(wrong)).toEqual([1, expect.stringMatching(/^40[134] /)]);
  await gateway.stop();
  expect(await probe()).toEqual([1, expect.stringContaining("fetch failed")]);
  expect(await filesOfApp()).toEqual(before);
});

test("paths are logged with the same words as in a checkout", () => {
  expect(templates(app)).toContain("/prof/v1/profile/{}/memories\n");
  expect(templates(app)).toBe(templates("."));
});
