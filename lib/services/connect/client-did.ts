import { createHash } from "node:crypto";
import { randomBase62 } from "@/lib/engine/random";
import { agentDid, type Did, parseDid } from "@/lib/protocol/did";

// Agents that are clients have names of their own, which nobody registers with a key.

const prefix = "oauth-";

export function newClientId(): string {
  return prefix + randomBase62(22);
}

/** The agent of a client: of one that registered, or of one whose id is the address of its document. */
export function clientDid(namespace: string, id: string): Did {
  return agentDid(namespace, id.startsWith(prefix) ? id : prefix + digest(id));
}

// A DID has no room for an address.
function digest(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 32);
}

export function isClientDid(did: Did): boolean {
  return parseDid(did)?.name.startsWith(prefix) ?? false;
}
