import { rmSync } from "node:fs";
import { z } from "zod";
import { createClient, ProtocolError } from "@/lib/protocol/client";
import { Did } from "@/lib/protocol/did";
import { ErrorBody, envelope } from "@/lib/protocol/resources";
import type { Command } from "../command";
import { configFileFor, configFileName, readSettings, type Settings } from "../config";
import { signerOf } from "../connect";
import { publicForms, writePrivateFile } from "../key-file";

const Registered = envelope(z.object({ did: Did, status: z.string() }), z.object({}));

const sentences: Record<string, string> = {
  active: "It may sign requests now.",
  pending: "It waits for an admin. Repeat this command to see whether it was approved.",
  suspended: "Ask an admin of the gateway.",
};

export const register: Command = {
  name: "register",
  summary: "Register an agent, with a request signed by its own key.",
  positionals: [],
  options: {
    name: { value: "TEXT", help: "what people see" },
    description: { value: "TEXT", help: "what the agent does" },
    operator: { value: "TEXT", help: "who runs it" },
    save: { help: `write address, DID and key file to ${configFileName} in this folder` },
  },
  examples: [
    "prof register --did did:prof:agent:local:iris --key iris.pem --name Iris",
    'prof register --did did:prof:agent:local:iris --key iris.pem --name Iris --operator "Example Travel" --save',
  ],
  async run(given, io) {
    const settings = readSettings(given, io);
    const { did, privateKey } = signerOf(settings, io);
    const file = given.flag("save") ? configFileFor(did, io) : null;
    const client = createClient({
      did,
      privateKey,
      baseUrl: settings.url,
      fetch: io.fetch,
      now: io.now,
    });
    const body = JSON.stringify({
      did,
      name: given.required("name"),
      publicKey: publicForms(privateKey).jwk,
      description: given.text("description"),
      operator: given.text("operator"),
    });
    const request = await client.signedRequest({ method: "POST", target: "/api/agents", body });
    const json = await readRegistered(await client.send(request));
    const { status } = json.data;
    const saved = file === null ? [] : [save(file, { ...settings, status })];
    return { text: [`${did}: ${status}. ${sentences[status] ?? ""}`, ...saved].join("\n"), json };
  },
};

async function readRegistered(response: Response) {
  const json: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ProtocolError(response, ErrorBody.safeParse(json).data);
  const registered = Registered.safeParse(json);
  if (!registered.success) throw new ProtocolError(response);
  return registered.data;
}

function save(file: string, { url, did, key, status }: Settings & { status: string }): string {
  // A key that came with the environment stays there.
  const keyFile = key?.includes("\n") || key?.startsWith("{") ? undefined : key;
  rmSync(file, { force: true });
  writePrivateFile(file, `${JSON.stringify({ url, did, keyFile, status }, null, 2)}\n`);
  return `Saved to ${file}`;
}
