import { readFileSync } from "node:fs";
import { readArgs } from "@/bench/tool";
import { UsageError } from "@/cli/failure";
import { Did } from "@/lib/protocol/did";
import type { PrivateKey } from "@/lib/protocol/signature";

export interface Signatory {
  did: Did;
  privateKey: PrivateKey;
}

export interface Options {
  url: string;
  agent: Signatory;
  userDid: Did;
  userKey: PrivateKey | null;
  token: string | null;
  otherUserDid: Did | null;
  otherUserKey: PrivateKey | null;
  /** Where the agent may propose. */
  category: string;
  limitsRaised: boolean;
  exhaust: boolean;
  json: boolean;
  /** Groups, or ids of checks; empty for all. */
  only: readonly string[];
  skip: readonly string[];
}

export const usage = `Checks a gateway against the specification, over its protocol endpoints.

  npm run conformance -- --url http://localhost:3000 \\
    --agent-did did:prof:agent:local:iris --agent-key iris.pem --user did:prof:user:local:alice

  --url               address of the gateway
  --agent-did         DID of an active agent
  --agent-key         its Ed25519 private key: a PKCS #8 PEM file, or a JWK
  --user              DID of the profile to check on; it gets proposals and memories, so take one for tests
  --user-key          private key of that DID: unlocks what only the owner may do
  --token             a connection token of that agent and profile
  --other-user        DID of a second profile, and --other-user-key its key: unlocks checks between owners
  --category          where the agent may propose (prof:conformance)
  --limits-raised     the gateway's limits are not those of the specification: do not check their size
  --exhaust           also use up the agent's hour of POST /review, to see what comes then
  --only, --skip      groups or ids of checks, separated by commas
  --json              one JSON document instead of lines

Ends with 0 where no check failed, 1 where one did, 2 where it could not start.
`;

const definitions = {
  url: { type: "string" },
  "agent-did": { type: "string" },
  "agent-key": { type: "string" },
  user: { type: "string" },
  "user-key": { type: "string" },
  token: { type: "string" },
  "other-user": { type: "string" },
  "other-user-key": { type: "string" },
  category: { type: "string", default: "prof:conformance" },
  "limits-raised": { type: "boolean", default: false },
  exhaust: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  only: { type: "string", default: "" },
  skip: { type: "string", default: "" },
} as const;

export function readOptions(args: string[]): Options {
  const values = readArgs(args, definitions);
  const url = required(values.url, "--url");
  if (!URL.canParse(url)) throw new UsageError(`--url is not an address: ${url}`);
  return {
    url: new URL(url).origin,
    agent: {
      did: readDid(required(values["agent-did"], "--agent-did"), "--agent-did"),
      privateKey: readKey(required(values["agent-key"], "--agent-key")),
    },
    userDid: readDid(required(values.user, "--user"), "--user"),
    userKey: values["user-key"] === undefined ? null : readKey(values["user-key"]),
    token: values.token ?? null,
    otherUserDid: values["other-user"] ? readDid(values["other-user"], "--other-user") : null,
    otherUserKey: values["other-user-key"] ? readKey(values["other-user-key"]) : null,
    category: values.category,
    limitsRaised: values["limits-raised"],
    exhaust: values.exhaust,
    json: values.json,
    only: listed(values.only),
    skip: listed(values.skip),
  };
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new UsageError(`${name} is missing.`);
  return value;
}

function readDid(text: string, name: string): Did {
  const did = Did.safeParse(text);
  if (!did.success) throw new UsageError(`${name} is not a DID: ${text}`);
  return did.data;
}

function readKey(file: string): PrivateKey {
  const text = readFile(file).trim();
  if (text.startsWith("{")) return JSON.parse(text);
  const [, base64] =
    /-----BEGIN PRIVATE KEY-----([\s\S]+)-----END PRIVATE KEY-----/.exec(text) ?? [];
  if (base64 === undefined) throw new UsageError(`${file} holds no PKCS #8 private key in PEM.`);
  return new Uint8Array(Buffer.from(base64, "base64"));
}

function readFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`The key file ${file} cannot be read.`);
  }
}

function listed(text: string): string[] {
  return text.split(",").filter((entry) => entry !== "");
}
