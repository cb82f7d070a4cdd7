import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

// The conformance runner of the Model Context Protocol. It wants a newer Node than this product, so both come from
// npm, at exactly these versions, into a folder of their own.

const wanted = ["node@24.21.0", "@modelcontextprotocol/conformance@0.2.0-alpha.12"];
const folder = path.resolve("node_modules/.cache/mcp-conformance");
const node = path.join(folder, "node_modules/node/bin/node");
const runner = path.join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

export async function bringRunner(): Promise<void> {
  if (existsSync(node) && existsSync(runner)) return;
  await mkdir(folder, { recursive: true });
  const install = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder];
  await promisify(execFile)("npm", [...install, ...wanted]);
}

export interface Ran {
  code: number | null;
  output: string;
}

/** Runs it with these arguments; `said` gets what it prints, as it does. */
export function runConformance(
  args: readonly string[],
  said: (text: string) => void = () => {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [runner, ...args], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const hear = (chunk: Buffer) => {
      output += chunk;
      said(String(chunk));
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
