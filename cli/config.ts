import { homedir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { Did, parseDid } from "@/lib/protocol/did";
import type { Io } from "./command";
import { readDemo } from "./demo";
import { UsageError } from "./failure";
import type { Given } from "./given";
import { readPrivateFile } from "./key-file";

// The gateway and the credential: from options, then --demo, the environment, and a configuration file.

export interface Settings {
  url: string;
  did?: Did;
  /** A file's path, or the key itself where the environment carries it. */
  key?: string;
  token?: string;
  /** Whether the configuration file says that this agent's registration waits for an admin. */
  isPending: boolean;
  /** Resolves a name of the demo data, a handle in the signer's namespace, or a whole DID. */
  didOf(name: string): Did;
}

export function readEnvironment(): Io["env"] {
  return process.env;
}

const urlByDefault = "http://localhost:3000";

export function readSettings(given: Given, io: Pick<Io, "env" | "cwd">): Settings {
  const { env, cwd } = io;
  const demo = readDemo(given.text("demo"), io);
  const file = readConfigFile(given.text("config"), io);
  const isSomeoneElse = demo.did !== undefined || given.text("key") !== undefined;
  const keyGiven = given.text("key");
  const did = readDid(given.text("did") ?? demo.did ?? env.PROF_DID ?? file.did);
  return {
    did,
    url: readUrl(given.text("url") ?? demo.url ?? env.PROF_URL ?? file.url ?? urlByDefault),
    key: (keyGiven && path.resolve(cwd, keyGiven)) ?? demo.key ?? env.PROF_KEY ?? file.keyFile,
    token: isSomeoneElse ? undefined : (env.PROF_TOKEN ?? file.token),
    isPending: file.status === "pending" && file.did === did,
    didOf: (name) => demo.dids.get(name.toLowerCase()) ?? requireDid(didOfHandle(name, did)),
  };
}

const ConfigFile = z.strictObject({
  url: z.string().optional(),
  did: z.string().optional(),
  keyFile: z.string().optional(),
  token: z.string().optional(),
  status: z.string().optional(),
});
export type ConfigFile = z.output<typeof ConfigFile>;

export const configFileName = "prof.config.json";

function readConfigFile(given: string | undefined, { env, cwd }: Pick<Io, "env" | "cwd">) {
  const home = env.XDG_CONFIG_HOME ?? path.join(env.HOME ?? homedir(), ".config");
  const candidates =
    given === undefined
      ? [path.join(cwd, configFileName), path.join(home, "prof", "config.json")]
      : [path.resolve(cwd, given)];
  for (const file of candidates) {
    const text = readPrivateFile(file);
    if (text !== null) return parseConfigFile(file, text);
  }
  if (given !== undefined) throw new UsageError(`There is no file ${given}.`);
  return {};
}

/** Where this agent's configuration is written. The file of another agent stays as it is. */
export function configFileFor(did: Did, { cwd }: Pick<Io, "cwd">): string {
  const file = path.join(cwd, configFileName);
  const text = readPrivateFile(file);
  if (text === null || parseConfigFile(file, text).did === did) return file;
  throw new UsageError(`${file} is there already, and not for ${did}. Use a folder of its own.`);
}

function parseConfigFile(file: string, text: string): ConfigFile {
  const parsed = ConfigFile.safeParse(jsonIn(text));
  if (!parsed.success) {
    throw new UsageError(
      `${file} is not usable: it must be JSON with the members url, did, keyFile, token and status, all optional.`,
    );
  }
  const { keyFile, ...rest } = parsed.data;
  return { ...rest, keyFile: keyFile && path.resolve(path.dirname(file), keyFile) };
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`\`${text}\` is not an address. Give one like https://gateway.example.com.`);
}

function readDid(text: string | undefined): Did | undefined {
  return text === undefined ? undefined : requireDid(text);
}

// People call each other by handles: the namespace is the signer's own.
function didOfHandle(name: string, signer: Did | undefined): string {
  const namespace = signer && parseDid(signer)?.namespace;
  const did = `did:prof:user:${namespace}:${name}`;
  return namespace !== undefined && parseDid(did) !== null ? did : name;
}

function requireDid(text: string): Did {
  const did = Did.safeParse(text);
  if (did.success) return did.data;
  throw new UsageError(`\`${text}\` is not a DID. One looks like did:prof:user:local:alice.`);
}
