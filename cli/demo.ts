import path from "node:path";
import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import type { Io } from "./command";
import { jsonIn } from "./config";
import { UsageError } from "./failure";
import { readPrivateFile } from "./key-file";

// Where `npm start -- --demo` leaves its credentials.

const Person = z.object({ name: z.string(), did: Did, keyFile: z.string().optional() });
const Demo = z.object({
  address: z.string(),
  agents: z.array(Person),
  users: z.array(Person),
});

export interface DemoChoice {
  url?: string;
  did?: Did;
  key?: string;
  /** Lower-case name → DID, of everybody in it. */
  dids: ReadonlyMap<string, Did>;
}

export function readDemo(
  name: string | undefined,
  { env, cwd }: Pick<Io, "env" | "cwd">,
): DemoChoice {
  if (name === undefined) return { dids: new Map() };
  const file = path.resolve(cwd, env.DATA_FOLDER ?? ".data", "demo", "demo.json");
  const text = readPrivateFile(file);
  if (text === null) {
    throw new UsageError(`There is no demo data at ${file}. Make it with: npm start -- --demo`);
  }
  const parsed = Demo.safeParse(jsonIn(text));
  if (!parsed.success) throw new UsageError(`${file} is not what the demo writes. Make it again.`);
  const { address: url, agents, users } = parsed.data;
  const people = [...agents, ...users].filter(({ keyFile }) => keyFile !== undefined);
  const chosen = people.find((person) => person.name.toLowerCase() === name.toLowerCase());
  if (chosen?.keyFile === undefined) {
    const names = people.map((person) => person.name.toLowerCase()).join(", ");
    throw new UsageError(`The demo has no key of \`${name}\`. It has: ${names}.`);
  }
  return {
    url,
    did: chosen.did,
    key: path.resolve(path.dirname(file), chosen.keyFile),
    dids: new Map([...agents, ...users].map((person) => [person.name.toLowerCase(), person.did])),
  };
}
