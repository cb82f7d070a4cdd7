import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const sources = ["app", "lib", "public"];
const settings = [
  "next.config.js",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
  "package.json",
];
const stampFile = ".next/gateway-sources.sha256";

/** Runs `next build` where there is none, or one of other sources. */
export async function buildIfStale(root: string, log: (line: string) => void): Promise<void> {
  const stamp = await fingerprint(root);
  const built = await readFile(path.join(root, stampFile), "utf8").catch(() => null);
  if (built === stamp) return;
  log(built === null ? "Building the pages (once) …" : "The sources changed; building again …");
  await nextBuild(root);
  await writeFile(path.join(root, stampFile), stamp);
}

async function nextBuild(root: string): Promise<void> {
  const next = path.join(root, "node_modules/next/dist/bin/next");
  const child = spawn(process.execPath, [next, "build"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`next build failed:\n${Buffer.concat(said).toString()}`);
}

async function fingerprint(root: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of [...settings, ...(await filesOf(root))]) {
    hash.update(file).update("\0");
    hash.update(await readFile(path.join(root, file))).update("\0");
  }
  return hash.digest("hex");
}

async function filesOf(root: string): Promise<string[]> {
  const listed = await Promise.all(
    sources.map(async (folder) => {
      const entries = await readdir(path.join(root, folder), {
        withFileTypes: true,
        recursive: true,
      });
      const files = entries.filter((entry) => entry.isFile() && !entry.name.includes(".test."));
      return files.map((file) => path.relative(root, path.join(file.parentPath, file.name)));
    }),
  );
  return listed.flat().sort();
}
