import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";

/** An agent as a person may recognise it. */
export interface NamedAgent {
  did: Did;
  /** Null where the gateway does not know it (any more), and for an owner's own DID. */
  name: string | null;
  verified: boolean;
}

/** The `"agentDid"` of a table joined with `"Agent" a`, as a NamedAgent. */
export function namedAgent(agentDid: keyof typeof columns): Prisma.Sql {
  return Prisma.sql`jsonb_build_object('did', ${columns[agentDid]}, 'name', a.name,
    'verified', coalesce(a.verified, false))`;
}

const columns = {
  r: Prisma.sql`r."agentDid"`,
  p: Prisma.sql`p."agentDid"`,
  c: Prisma.sql`c."agentDid"`,
  g: Prisma.sql`g."agentDid"`,
  k: Prisma.sql`k."agentDid"`,
  m: Prisma.sql`m."agentDid"`,
  t: Prisma.sql`t."agentDid"`,
};
