import { homedir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { Did } from "@/lib/protocol/did";
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
  /** A short name of the demo data, or a DID that is no shorter. */
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
  return {
    url: readUrl(given.text("url") ?? demo.url ?? env.PROF_URL ?? file.url ?? urlByDefault),
    did: readDid(given.text("did") ?? demo.did ?? env.PROF_DID ?? file.did),
    key: (keyGiven && path.resolve(cwd, keyGiven)) ?? demo.key ?? env.PROF_KEY ?? file.keyFile,
    token: isSomeoneElse ? undefined : (env.PROF_TOKEN ?? file.token),
    didOf: (name) => demo.dids.get(name.toLowerCase()) ?? requireDid(name),
  };
}

const ConfigFile = z.strictObject({
  url: z.string().optional(),
  did: z.string().optional(),
  keyFile: z.string().optional(),
  token: z.string().optional(),
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

function parseConfigFile(file: string, text: string): ConfigFile {
  const parsed = ConfigFile.safeParse(jsonIn(text));
  if (!parsed.success) {
    throw new UsageError(
      `${file} is not usable: it must be JSON with the members url, did, keyFile and token, all optional.`,
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
  throw new UsageError(`\`${text}\` is no address. Give one like https://gateway.example.com.`);
}

function readDid(text: string | undefined): Did | undefined {
  return text === undefined ? undefined : requireDid(text);
}

function requireDid(text: string): Did {
  const did = Did.safeParse(text);
  if (did.success) return did.data;
  throw new UsageError(`\`${text}\` is no DID. One looks like did:prof:user:local:alice.`);
}
