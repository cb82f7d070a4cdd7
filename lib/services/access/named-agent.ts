import type { Did } from "@/lib/protocol/did";

/** An agent as a person may recognise it. */
export interface NamedAgent {
  did: Did;
  /** Null where the gateway does not know it (any more), and for an owner's own DID. */
  name: string | null;
  verified: boolean;
}

/** For statements that join `"Agent" a` to a table of theirs: that table's `"agentDid"`, as a NamedAgent. */
export function namedAgent(table: "r" | "p" | "c" | "g" | "k" | "m" | "t") {
  return `jsonb_build_object('did', ${table}."agentDid", 'name', a.name,
    'verified', coalesce(a.verified, false))`;
}
