import path from "node:path";
import type { Command } from "../command";
import { writeNewKey } from "../key-file";
import { columns } from "../print";

export const keygen: Command = {
  name: "keygen",
  summary: "Make an Ed25519 key. The private half goes to a file that only you can read.",
  positionals: [],
  options: { out: { value: "FILE", help: "where to (default: prof-key.pem)" } },
  examples: ["prof keygen --out iris.pem"],
  async run(given, { cwd }) {
    const keyFile = path.resolve(cwd, given.text("out") ?? "prof-key.pem");
    const { pem, jwk, base64 } = writeNewKey(keyFile);
    const text = [
      columns([
        ["Private key", keyFile],
        ["Public key", base64],
      ]),
      "",
      pem.trimEnd(),
    ].join("\n");
    return { text, json: { keyFile, publicKey: { base64, jwk, pem } } };
  },
};
