import { z } from "zod";

// Protocol 1: case-sensitive, two kinds, and the same alphabet for namespace and name.
const grammar = /^did:prof:(agent|user):([A-Za-z0-9._-]{1,64}):([A-Za-z0-9._-]{1,64})$/;

export const Did = z
  .string()
  .regex(grammar, "Not a DID of the form did:prof:<kind>:<namespace>:<name>.")
  .meta({
    description:
      "Decentralized identifier: did:prof:<kind>:<namespace>:<name>, kind agent or user.",
    examples: ["did:prof:user:local:alice"],
  });
export type Did = z.output<typeof Did>;

export type DidKind = "agent" | "user";
export type DidParts = { kind: DidKind; namespace: string; name: string };

export function parseDid(text: string): DidParts | null {
  const [, kind, namespace, name] = grammar.exec(text) ?? [];
  if (namespace === undefined || name === undefined) return null;
  return { kind: kind === "user" ? "user" : "agent", namespace, name };
}

export function userDid(namespace: string, name: string): Did {
  return Did.parse(`did:prof:user:${namespace}:${name}`);
}

export function agentDid(namespace: string, name: string): Did {
  return Did.parse(`did:prof:agent:${namespace}:${name}`);
}
