import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { readArgs, readWhole } from "@/bench/tool";
import { UsageError } from "@/cli/failure";
import { Did } from "@/lib/protocol/did";
import type { World } from "./message";

export interface Options {
  requests: number;
  seed: number;
  lines: number;
  /** Only this one. */
  replay: number | null;
  /** A gateway that runs already; null starts one. */
  world: World | null;
}

export const usage = `Sends a gateway requests that nobody should send, and looks at every answer.

  npm run fuzz -- --requests 100000 --seed 7

  --requests    how many (100000)
  --seed        a whole number; the same one makes the same requests (the current second)
  --lines       connections at once (16)
  --replay      the number of one request of that seed: sends only that one, and prints what it heard
  --url         a gateway that runs already, instead of one of its own, with
                --agent-did, --agent-key (PKCS #8 PEM), --user, and --user-key, --token where you have
                them; its limits have to be raised, or most answers are 429
  --canary      with --url: a text that the agent may not read; may be given more than once

Ends with 0 where nothing was found, 1 where something was, 2 where it could not start.
`;

const most = 1_000_000_000_000;

const definitions = {
  requests: { type: "string", default: "100000" },
  seed: { type: "string" },
  lines: { type: "string", default: "16" },
  replay: { type: "string" },
  url: { type: "string" },
  "agent-did": { type: "string" },
  "agent-key": { type: "string" },
  user: { type: "string" },
  "user-key": { type: "string" },
  token: { type: "string" },
  canary: { type: "string", multiple: true, default: [] as string[] },
} as const;

export function readOptions(args: string[]): Options {
  const values = readArgs(args, definitions);
  return {
    requests: readWhole("requests", values.requests, 0, most),
    seed: readWhole("seed", values.seed ?? String(Math.floor(Date.now() / 1_000)), 0, most),
    lines: readWhole("lines", values.lines, 0, most),
    replay: values.replay === undefined ? null : readWhole("replay", values.replay, 0, most),
    world: values.url === undefined ? null : worldOf(values.url, values),
  };
}

type Values = ReturnType<typeof readArgs<typeof definitions>>;

function worldOf(url: string, values: Values): World {
  if (!URL.canParse(url) || !url.startsWith("http:"))
    throw new UsageError("--url must be http://…");
  const { hostname, port } = new URL(url);
  const userDid = did(values.user, "--user");
  const agent = {
    did: did(values["agent-did"], "--agent-did"),
    key: key(values["agent-key"], "--agent-key"),
  };
  const ownerKey = values["user-key"];
  const owner =
    ownerKey === undefined ? {} : { owner: { did: userDid, key: key(ownerKey, "--user-key") } };
  const stranger = { did: agent.did, key: generateKeyPairSync("ed25519").privateKey };
  const { canary } = values;
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || 80),
    userDid,
    otherDid: Did.parse("did:prof:user:local:nobody"),
    signers: { agent, stranger, ...owner },
    token: values.token ?? null,
    clientId: "oauth-nobody",
    clientToken: null,
    secrets: {
      agent: canary,
      token: canary,
      client: canary,
      owner: [],
      other: canary,
      stranger: canary,
      nobody: canary,
    },
    pending: [],
  };
}

function did(text: string | undefined, name: string): Did {
  const parsed = Did.safeParse(text);
  if (!parsed.success) throw new UsageError(`${name} must be a DID.`);
  return parsed.data;
}

function key(file: string | undefined, name: string) {
  try {
    return createPrivateKey(readFileSync(file ?? ""));
  } catch {
    throw new UsageError(`${name} must be a file with a PKCS #8 private key in PEM.`);
  }
}
