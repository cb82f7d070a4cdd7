import { readFileSync } from "node:fs";
import path from "node:path";
import type { SignedRequest } from "@/lib/protocol/client";
import type { Command, Io } from "../command";
import { connect } from "../connect";
import { UsageError } from "../failure";
import { columns, oneLine } from "../print";

const meanings = [
  "what this text is",
  "method",
  "authority",
  "canonical path",
  "canonical query",
  "timestamp",
  "nonce",
  "SHA-256 of the body",
];

export const sign: Command = {
  name: "sign",
  summary: "Sign a request without sending it, and print its Authorization header.",
  positionals: ["<method>", "<path>"],
  options: {
    explain: { help: "print the eight lines that are signed" },
    body: { value: "TEXT", help: "the body, or @FILE for what is in a file" },
    ts: { value: "TS", help: "instead of the time now" },
    nonce: { value: "NONCE", help: "instead of a random one" },
  },
  examples: [
    "prof sign GET /prof/v1/profile/did:prof:user:local:alice --explain --demo iris",
    "prof sign POST /prof/v1/profile/did:prof:user:local:alice/access --body @access.json",
  ],
  async run(given, io) {
    const [method, target] = [given.positional("<method>"), given.positional("<path>")];
    if (method === undefined || !target?.startsWith("/")) {
      throw new UsageError("Name a method and a path, like: prof sign GET /prof/v1/profile/…");
    }
    const { client } = connect(given, io, { needsProfile: false });
    const signed = await client.signedRequest({
      method: method.toUpperCase(),
      target,
      body: bodyIn(given.text("body"), io),
      ts: given.text("ts"),
      nonce: given.text("nonce"),
    });
    const { url, headers, canonicalText } = signed;
    const header = `Authorization: ${headers.Authorization}`;
    const text = given.flag("explain") ? `${explanation(signed)}\n\n${header}` : header;
    return { text, json: { method: signed.method, url, headers, canonicalText } };
  },
};

function bodyIn(given: string | undefined, { cwd }: Io): string | undefined {
  if (!given?.startsWith("@")) return given;
  const file = path.resolve(cwd, given.slice(1));
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new UsageError(`${file} cannot be read.`, { cause });
  }
}

function explanation({ canonicalText }: SignedRequest): string {
  if (canonicalText === undefined) return "A connection token is sent as it is; nothing is signed.";
  const lines = canonicalText
    .split("\n")
    .map((line, index) => [String(index + 1), meanings[index] ?? "", oneLine(line) || "(empty)"]);
  return `${columns(lines)}\n\nJoined by line feeds, with none at the end:\n\n${canonicalText}`;
}
