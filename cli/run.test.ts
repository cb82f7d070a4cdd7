import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { POST as registerAgent } from "@/app/api/agents/route";
import { installEngine } from "@/lib/engine/engine";
import vectors from "@/lib/protocol/vectors/signature.json";
import manifest from "@/package.json";
import { configured, gatewayUrl, inProcess, testEngine } from "@/tests/support/harness";
import {
  giveMemory,
  giveNamedValue,
  givePolicy,
  giveProposal,
  giveToken,
  mintAgent,
  mintKeyPair,
  mintOwner,
} from "@/tests/support/personas";
import { exitCodes } from "./failure";
import { run } from "./run";

const engine = await testEngine({ AGENT_REGISTRATION: "open" });
const root = mkdtempSync(path.join(tmpdir(), "prof-cli-"));
afterAll(() => rmSync(root, { recursive: true }));

function newFolder(): string {
  return mkdtempSync(path.join(root, "cwd-"));
}

interface Input {
  cwd?: string;
  env?: Record<string, string | undefined>;
  fetch?: typeof globalThis.fetch;
}

async function prof(
  argv: string[],
  { cwd = newFolder(), env, fetch = throughTheDoors }: Input = {},
) {
  let [out, err] = ["", ""];
  const code = await run(argv, {
    out: (text) => {
      out += `${text}\n`;
    },
    err: (text) => {
      err += `${text}\n`;
    },
    env: { HOME: cwd, PROF_URL: gatewayUrl, ...env },
    cwd,
    fetch,
    now: engine.now,
  });
  return { code, out, err };
}

const throughTheDoors: typeof globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  return new URL(request.url).pathname === "/api/agents"
    ? registerAgent(request)
    : inProcess(request);
};

type Signer = { did: string; privateKey: JsonWebKey };
const as = ({ did, privateKey }: Signer) => ({
  env: { PROF_DID: did, PROF_KEY: JSON.stringify(privateKey) },
});

function writePrivate(file: string, text: string, mode = 0o600): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe("the whole round", () => {
  test("keygen, register, consent required, read, propose, approve, read the memory", async () => {
    const owner = await mintOwner(engine);
    const cwd = newFolder();
    const did = "did:prof:agent:local:round-trip";

    expect((await prof(["keygen", "--out", "iris.pem"], { cwd })).code).toBe(0);
    const flags = ["--did", did, "--key", "iris.pem"];
    const registered = await prof(["register", ...flags, "--name", "Iris", "--save"], { cwd });
    expect(registered).toMatchObject({ code: 0, err: "" });
    expect(registered.out).toContain(`${did}: active.`);

    const refused = await prof(["profile", owner.did, "--scopes", "prof:interests"], { cwd });
    expect(refused.code).toBe(exitCodes.forbidden);
    expect(refused.err).toContain("PROF004");
    expect(refused.err).toContain("Denied: prof:interests");

    const purpose = ["--scopes", "prof:interests", "--purpose", "personalization"];
    const query = await prof(["access", owner.did, ...purpose], { cwd });
    expect(query.code).toBe(exitCodes.forbidden);
    expect(query.err).toContain("The owner answers at http");

    await givePolicy(engine, owner.profileId, { permissions: ["read", "propose"] });
    const receipt = await prof(["access", owner.did, ...purpose], { cwd });
    expect(receipt.out).toMatch(/^Receipt +rcpt_\w+\nGranted +prof:interests\nDenied +nothing\n/);

    const memory = ["--content", "Plays chess.", "--category", "prof:interests"];
    const proposed = await prof(["propose", owner.did, ...memory], { cwd });
    const [id = ""] = /prop_\w+/.exec(proposed.out) ?? [];
    expect((await prof(["propose", owner.did, ...memory], { cwd })).out).toContain("before");

    expect((await prof(["proposals"], as(owner))).out).toContain("Plays chess.");
    const approved = await prof(["review", id, "--approve"], as(owner));
    expect(approved.out).toMatch(/Status +approved\nMemory +mem_\w+/);
    expect((await prof(["review", id, "--reject"], as(owner))).code).toBe(exitCodes.invalid);

    const read = await prof(["memories", owner.did], { cwd });
    expect(read).toMatchObject({ code: 0, err: "" });
    expect(read.out).toMatch(
      /prof:interests\n {2}mem_\w+ {2}0\.70 .* Plays chess\.\n\nRecords 1 to 1 of 1\./,
    );
  });
});

describe("reading", () => {
  test("a profile: members, named values and records in columns, and what is not shown", async () => {
    const owner = await mintOwner(engine, {
      policies: [{ deny: ["prof:health"] }],
      common: { preferences: { language: "en", quiet: true }, identity: { displayName: "Alice" } },
    });
    const { profileId } = owner;
    await giveMemory(engine, profileId);
    const skills = { name: "skills", value: ["sql", "go"] };
    await giveNamedValue(engine, profileId, { category: "prof:professional", ...skills });
    const agent = await mintAgent(engine);
    const scopes = "prof:preferences,prof:interests,prof:professional,prof:health";
    const { out } = await prof(["profile", owner.did, "--scopes", scopes], as(agent));
    expect(out).toContain(`${owner.did}  human, version 1.0`);
    expect(out).toContain("preferences\n  quiet     true\n  language  en");
    expect(out).toContain("prof:professional\n  skills  sql, go");
    expect(out).toContain("Likes long walks.");
    expect(out).toContain("Not shown: prof:health");
  });

  test("--json gives data and meta, and nothing else on standard output", async () => {
    const owner = await mintOwner(engine);
    const { out } = await prof(["memories", "--json"], as(owner));
    expect(JSON.parse(out)).toMatchObject({ data: {}, meta: { count: 0, total: 0, limit: 50 } });
  });

  test("control characters in texts do not reach the terminal", async () => {
    const owner = await mintOwner(engine);
    const content = "red \u001b[31m\u202egnihton\nnext line";
    await giveMemory(engine, owner.profileId, { content });
    await giveProposal(engine, {
      profileId: owner.profileId,
      agentDid: "did:prof:agent:local:x",
      content,
    });
    const shown = await Promise.all([
      prof(["memories"], as(owner)),
      prof(["proposals"], as(owner)),
    ]);
    for (const { out } of shown) {
      expect(out).toContain("red \\u{1b}[31m\\u{202e}gnihton next line");
      expect(out).not.toContain("\u001b");
      expect(out).not.toContain("\u202e");
    }
  });

  test("with a connection token, the profile is the token's", async () => {
    const [owner, agent] = [await mintOwner(engine, { policies: [{}] }), await mintAgent(engine)];
    const { token } = await giveToken(engine, { owner, agent });
    const { out } = await prof(["profile"], { env: { PROF_TOKEN: token } });
    expect(out).toContain(owner.did);
    const listed = await prof(["memories"], { env: { PROF_TOKEN: token } });
    expect([listed.code, listed.err]).toEqual([exitCodes.usage, expect.stringMatching(/DID/)]);
  });
});

describe("sign", () => {
  const [request] = vectors.requests;
  const signer = as({
    did: "did:prof:agent:local:iris",
    privateKey: vectors.key.privateKeyJwk,
  });
  const argv = ["sign", "GET", request?.target ?? "", "--url", request?.baseUrl ?? ""];
  const fixed = ["--ts", request?.ts ?? "", "--nonce", request?.nonce ?? ""];

  test("prints the header of the vector", async () => {
    const { out } = await prof([...argv, ...fixed], signer);
    expect(out).toBe(`Authorization: ${request?.authorization}\n`);
  });

  test("--explain prints the eight lines, each with what it is, and the text itself", async () => {
    const { out } = await prof([...argv, ...fixed, "--explain"], signer);
    expect(out).toContain(request?.canonicalText);
    expect(out).toMatch(/^5 {2}canonical query +\(empty\)$/m);
    expect(out).toContain(request?.authorization);
  });

  test("takes a body from a file", async () => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, "body.json"), "{}");
    const options = { cwd, env: signer.env };
    const { out } = await prof(["sign", "POST", "/x", "--body", "@body.json", "--json"], options);
    const hash = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
    expect(JSON.parse(out).canonicalText.split("\n").at(-1)).toBe(hash);
  });
});

test("an agent that waits for an admin is told so when its signature is refused", async () => {
  installEngine(configured(engine, { AGENT_REGISTRATION: "approval" }));
  const owner = await mintOwner(engine);
  const cwd = newFolder();
  await prof(["keygen", "--out", "late.pem"], { cwd });
  const flags = ["--did", "did:prof:agent:local:late", "--key", "late.pem"];
  const registered = await prof(["register", ...flags, "--name", "Late", "--save"], { cwd });
  installEngine(engine);
  expect(registered.out).toContain("pending. It waits for an admin.");

  const again = await prof(["register", ...flags, "--name", "Late", "--save"], { cwd });
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining("pending") });

  const refused = await prof(["profile", owner.did], { cwd });
  expect(refused.code).toBe(exitCodes.unauthorized);
  expect(refused.err).toMatch(/^PROF001: [\s\S]*This agent's registration waited for an admin/);

  const stranger = { did: "did:prof:agent:local:nobody", privateKey: mintKeyPair().privateKey };
  const other = await prof(["profile", owner.did], { cwd, env: as(stranger).env });
  expect(other.err).toMatch(/^PROF001: /);
  expect(other.err).not.toContain("waited for an admin");
});

test("an agent whose folder has another one's configuration is not registered", async () => {
  const cwd = newFolder();
  await prof(["keygen", "--out", "one.pem"], { cwd });
  const ofOne = ["--did", "did:prof:agent:local:one", "--key", "one.pem", "--name", "One"];
  expect((await prof(["register", ...ofOne, "--save"], { cwd })).code).toBe(0);
  const file = path.join(cwd, "prof.config.json");
  const before = readFileSync(file, "utf8");
  await prof(["keygen", "--out", "two.pem"], { cwd });
  const ofTwo = ["--did", "did:prof:agent:local:two", "--key", "two.pem", "--name", "Two"];
  const refused = await prof(["register", ...ofTwo, "--save"], { cwd });
  expect(refused).toMatchObject({
    code: exitCodes.usage,
    err: expect.stringContaining("a folder of its own"),
  });
  expect(readFileSync(file, "utf8")).toBe(before);
  expect((await prof(["profile", "alice", ...ofTwo.slice(0, 4)], { cwd })).code).toBe(
    exitCodes.unauthorized,
  );
});

describe("keygen", () => {
  test("the private key goes to a file of mode 0600 and is not printed", async () => {
    const cwd = newFolder();
    const { out } = await prof(["keygen"], { cwd });
    const file = path.join(cwd, "prof-key.pem");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [, secret = ""] = readFileSync(file, "utf8").split("\n");
    expect(secret).toMatch(/^MC4CAQAw/);
    expect(out).not.toContain(secret);
    expect(out).toContain("-----BEGIN PUBLIC KEY-----");
  });

  test("a file that is there stays as it is", async () => {
    const cwd = newFolder();
    writeFileSync(path.join(cwd, "prof-key.pem"), "precious");
    const { code, err } = await prof(["keygen"], { cwd });
    expect([code, err]).toEqual([exitCodes.usage, expect.stringMatching(/there already/)]);
    expect(readFileSync(path.join(cwd, "prof-key.pem"), "utf8")).toBe("precious");
  });
});

describe("sources of address and key", () => {
  const jwk = () => JSON.stringify(mintKeyPair().privateKey);
  const signedBy = async (argv: string[], query: Input) => {
    const { out, err } = await prof(["sign", "GET", "/x", "--json", ...argv], query);
    if (err !== "") return err;
    const { url, headers } = JSON.parse(out);
    return `${/did="([^"]+)"/.exec(headers.Authorization)?.[1]} ${url}`;
  };

  test("a file in this folder, then the one of the user; the environment and options go before", async () => {
    const cwd = newFolder();
    const keyFile = writePrivate(path.join(cwd, "keys", "a.json"), jwk());
    const users = { url: "http://home.test", did: "did:prof:agent:local:home", keyFile };
    writePrivate(path.join(cwd, ".config/prof/config.json"), JSON.stringify(users));
    const env = { PROF_URL: undefined };
    const home = "did:prof:agent:local:home http://home.test/x";
    expect(await signedBy([], { cwd, env })).toBe(home);
    const here = {
      url: "http://here.test",
      did: "did:prof:agent:local:here",
      keyFile: "keys/a.json",
    };
    writePrivate(path.join(cwd, "prof.config.json"), JSON.stringify(here));
    expect(await signedBy([], { cwd, env })).toBe("did:prof:agent:local:here http://here.test/x");
    const set = { PROF_URL: "http://env.test", PROF_DID: "did:prof:agent:local:env" };
    expect(await signedBy([], { cwd, env: set })).toBe(
      "did:prof:agent:local:env http://env.test/x",
    );
    const flags = ["--url", "http://flag.test", "--did", "did:prof:agent:local:flag"];
    expect(await signedBy(flags, { cwd, env: set })).toBe(
      "did:prof:agent:local:flag http://flag.test/x",
    );
    const file = ["--config", ".config/prof/config.json"];
    expect(await signedBy(file, { cwd, env })).toBe(home);
  });

  test("a handle alone is a user in the signer's namespace", async () => {
    const owner = await mintOwner(engine);
    const { out } = await prof(["profile", owner.did.split(":").at(-1) ?? ""], as(owner));
    expect(out).toContain(owner.did);
    const token = { env: { PROF_TOKEN: "prof_x" } };
    expect(await prof(["profile", "alice"], token)).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringContaining("`alice` is not a DID"),
    });
  });

  test("--demo: who signs, where, and the names of the others", async () => {
    const [owner, agent] = [await mintOwner(engine, { policies: [{}] }), await mintAgent(engine)];
    const cwd = newFolder();
    const folder = path.join(cwd, ".data/demo");
    writePrivate(path.join(folder, "iris.json"), JSON.stringify(agent.privateKey));
    const demo = {
      address: gatewayUrl,
      agents: [{ name: "Iris", did: agent.did, keyFile: "iris.json" }],
      users: [
        { name: "Alice", email: "a@example.com", password: "p", did: owner.did, role: "user" },
      ],
    };
    writePrivate(path.join(folder, "demo.json"), JSON.stringify(demo));
    const { out } = await prof(["profile", "alice", "--demo", "iris"], { cwd });
    expect(out).toContain(owner.did);
    const unknown = await prof(["profile", "alice", "--demo", "alice"], { cwd });
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("It has: iris.")]);
  });

  test("a key that others may read, as a browser saves it, is closed to them and signs", async () => {
    const keyFile = writePrivate(path.join(newFolder(), "agent-key.pem"), jwk(), 0o644);
    const flags = ["--did", "did:prof:agent:local:iris", "--key", keyFile];
    const { code, err } = await prof(["sign", "GET", "/x", ...flags]);
    expect([code, err]).toEqual([
      exitCodes.ok,
      `Others could read ${keyFile}. Now only you can.\n`,
    ]);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect((await prof(["sign", "GET", "/x", ...flags])).err).toBe("");
  });

  test("a configuration file that others may read is refused", async () => {
    const cwd = newFolder();
    writePrivate(path.join(cwd, "prof.config.json"), "{}", 0o644);
    const { code, err } = await prof(["sign", "GET", "/x"], { cwd });
    expect([code, err]).toEqual([exitCodes.usage, expect.stringMatching(/chmod 600/)]);
  });

  test.each([
    ["a key that is none", { PROF_KEY: "{}" }, /not an Ed25519 private key/],
    ["a key file that is not there", { PROF_KEY: "/nowhere.pem" }, /prof keygen/],
    ["no key", {}, /--key or PROF_KEY/],
    ["no DID", { PROF_DID: undefined }, /--did or PROF_DID/],
    ["a DID that is none", { PROF_DID: "iris" }, /not a DID/],
    ["an address that is none", { PROF_URL: "localhost:3000" }, /not an address/],
  ])("%s: exit code 2", async (_what, env: Record<string, string | undefined>, message) => {
    const all = { PROF_DID: "did:prof:agent:local:iris", ...env };
    const { code, err, out } = await prof(["sign", "GET", "/x"], { cwd: newFolder(), env: all });
    expect([code, out, err]).toEqual([exitCodes.usage, "", expect.stringMatching(message)]);
  });
});

describe("errors", () => {
  test.each([
    [["frob"], /no command `frob`/],
    [["profile", "--frob"], /Unknown option '--frob'/],
    [["profile", "a", "b"], /one argument too many/],
    [["propose", "--category", "prof:x"], /--content is missing/],
    [["memories", "--limit", "many"], /takes a number/],
    [["proposals", "--status", "lost"], /pending, approved or rejected/],
    [["review", "prop_x"], /--approve or --reject/],
    [["review"], /Which proposal/],
  ])("%j: exit code 2, and what to do", async (argv, message) => {
    const { code, err, out } = await prof(argv, as(await mintOwner(engine)));
    expect([code, out, err]).toEqual([exitCodes.usage, "", expect.stringMatching(message)]);
  });

  test("each refusal has its exit code, and names the request", async () => {
    const [owner, other] = [await mintOwner(engine), await mintOwner(engine)];
    const stranger = { did: "did:prof:agent:local:nobody", privateKey: mintKeyPair().privateKey };
    const codeOf = async (argv: string[], signer: Signer) => {
      const { code, err } = await prof(argv, as(signer));
      expect(err).toMatch(/Request id: req_\w+/);
      return code;
    };
    expect(await codeOf(["profile", owner.did], stranger)).toBe(exitCodes.unauthorized);
    expect(await codeOf(["profile", owner.did], other)).toBe(exitCodes.forbidden);
    const nobody = "did:prof:user:local:nobody";
    expect(await codeOf(["profile", nobody], owner)).toBe(exitCodes.notFound);
    const bad = ["memories", owner.did, "--category", "nonsense"];
    expect(await codeOf(bad, owner)).toBe(exitCodes.invalid);
  });

  test("--json tells a refusal to machines, on standard error", async () => {
    const owner = await mintOwner(engine);
    const { err, out } = await prof(["profile", "did:prof:user:local:nobody", "--json"], as(owner));
    expect(out).toBe("");
    expect(JSON.parse(err)).toMatchObject({ error: { code: "PROF003" }, status: 404 });
  });

  test("a gateway that is not there, one that fails, and one that is none", async () => {
    const owner = await mintOwner(engine);
    const answers: [typeof globalThis.fetch, number, RegExp][] = [
      [() => Promise.reject(new TypeError("fetch failed")), 8, /cannot be reached/],
      [async () => new Response("<html>", { status: 502 }), 8, /HTTP 502/],
      [async () => new Response("<html>"), 6, /not the protocol's/],
    ];
    for (const [fetch, code, message] of answers) {
      const failed = await prof(["profile"], { ...as(owner), fetch });
      expect([failed.code, failed.err]).toEqual([code, expect.stringMatching(message)]);
    }
  });
});

test("--version prints the version of the package", async () => {
  expect(await prof(["--version"])).toMatchObject({ code: 0, out: `${manifest.version}\n` });
});

test("help and a command is that command with --help", async () => {
  expect((await prof(["help", "access"])).out).toBe((await prof(["access", "--help"])).out);
  expect(await prof(["help", "frob"])).toMatchObject({ code: 2 });
});

describe("--help", () => {
  test("of prof, and of each command, with examples that parse", async () => {
    const { out } = await prof(["--help"]);
    const names = [...out.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name = ""]) => name);
    expect(names).toHaveLength(9);
    for (const name of names) {
      const help = await prof([name, "--help"]);
      expect(help.code).toBe(0);
      expect(help.out).toContain(`Usage: prof ${name}`);
      expect(help.out).toMatch(/Examples\n {2}prof /);
    }
  });
});
