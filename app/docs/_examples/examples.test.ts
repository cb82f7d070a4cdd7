import { execFile } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { createFrontDoor } from "@/server/front-door/front-door";
import { protocolRoute } from "@/server/front-door/protocol-routes";
import { testEngine } from "@/tests/support/harness";
import { giveToken, mintAgent, mintOwner } from "@/tests/support/personas";
import { docsFile } from "../_parts/docs-file";
import { codeBlock } from "../_parts/markdown/markdown-tokens";
import { demoWho } from "./who";

// Each example of docs/examples.md, run by the program it is for, against a front door of our own.

const run = promisify(execFile);
const engine = await testEngine();
// The programs that run go by the machine's clock.
engine.setNow(new Date());
const server = createFrontDoor({
  engine,
  protocolRoute,
  next: async (_request, response) => {
    response.end();
  },
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const folder = await mkdtemp(path.join(tmpdir(), "docs-examples-"));
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

/** Returns the code block with the caller's own people in place of the demo's. */
function example(title: string, who: typeof demoWho): string {
  return codeBlock(docsFile("examples"), title)
    .replaceAll("http://localhost:3000", gateway)
    .replaceAll(demoWho.agent, who.agent)
    .replaceAll(demoWho.keyFile, who.keyFile)
    .replaceAll(demoWho.owner, who.owner);
}

async function who(): Promise<typeof demoWho> {
  const owner = await mintOwner(engine, {
    policies: [
      { allow: ["prof:preferences"] },
      { allow: ["prof:interests"], permissions: ["propose"] },
    ],
    common: { preferences: { language: "en" } },
  });
  const agent = await mintAgent(engine);
  const pem = createPrivateKey({ key: { ...agent.privateKey }, format: "jwk" });
  const keyFile = path.join(folder, `${owner.profileId}.pem`);
  await writeFile(keyFile, pem.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
  return { agent: agent.did, keyFile, owner: owner.did };
}

async function hasProgram(program: string, args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

test("bash, curl and openssl", async () => {
  const people = await who();
  const calls = example("Then", people).replaceAll("\n\n", "\necho\n");
  const script = `${example("Once in a shell", people)}\n${calls}`;
  const { stdout, stderr } = await run("bash", ["--norc", "-euc", script]);
  expect(stderr).toBe("");
  const [profile, scope, access, proposed, listed, ...none] = stdout
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(none).toEqual([]);
  expect(profile.data.common).toEqual({ preferences: { language: "en" } });
  expect(scope.error.details.deniedScopes).toEqual(["prof:interests"]);
  expect(access.error).toMatchObject({ code: "PROF004" });
  expect(proposed.data.status).toBe("pending");
  expect(listed.data).toMatchObject([{ content: "Plays chess on Sundays.", confidence: 0.9 }]);
});

test("TypeScript on Node", async () => {
  const { code } = await transform(example("agent.mts", await who()), { loader: "ts" });
  // The name makes it an ES module where no package.json does.
  expect(docsFile("examples")).toContain("Save it as `agent.mts`");
  const file = path.join(folder, "agent.mjs");
  await writeFile(file, code);
  const { stdout, stderr } = await run(process.execPath, [file]);
  expect(stderr).toBe("");
  expectAllThree(stdout);
});

const withPython = await hasProgram("python3", ["-c", "import cryptography"]);

test.runIf(withPython)("Python with cryptography", async () => {
  const { stdout, stderr } = await run("python3", ["-c", example("agent.py", await who())]);
  expect(stderr).toBe("");
  expectAllThree(stdout);
});

test("a connection token", async () => {
  const permissions: ("read" | "propose")[] = ["read", "propose"];
  const owner = await mintOwner(engine, { policies: [{ allow: ["prof:*"], permissions }] });
  const agent = await mintAgent(engine);
  const { token } = await giveToken(engine, { owner, agent, permissions });
  const script = codeBlock(docsFile("tokens"), "bash")
    .replace("http://localhost:3000", gateway)
    .replace("profct_…", token)
    .replaceAll("\n\n#", "\necho\n#");
  const { stdout, stderr } = await run("bash", ["--norc", "-euc", script]);
  expect(stderr).toBe("");
  const [, profile, proposed] = stdout.split("\n").map((line) => line && JSON.parse(line));
  expect(profile.data.id).toBe(owner.did);
  expect(proposed.data.status).toBe("pending");
});

function expectAllThree(stdout: string): void {
  expect(stdout).toMatch(/['"]?language['"]?: ['"]en['"]/);
  expect(stdout).toMatch(/proposalId['"]?: ['"]prop_/);
  expect(stdout).toMatch(/count['"]?: 1/);
}
