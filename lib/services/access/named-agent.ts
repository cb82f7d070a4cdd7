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
  const did = columns[agentDid];
  return Prisma.sql`jsonb_build_object('did', ${did}, 'name', ${agentName("a", did)},
    'verified', coalesce(a.verified, false))`;
}

/** Of `"Agent" a`, joined with left; a client that no owner has connected has a name, too, and an import. */
export function agentName(joined: keyof typeof names, did: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce(${names[joined]}, (SELECT name FROM "Client" WHERE "agentDid" = ${did}),
    (SELECT name FROM "ImportBatch" WHERE "agentDid" = ${did}))`;
}

const names = { a: Prisma.sql`a.name`, oa: Prisma.sql`oa.name` };

const columns = {
  r: Prisma.sql`r."agentDid"`,
  p: Prisma.sql`p."agentDid"`,
  c: Prisma.sql`c."agentDid"`,
  g: Prisma.sql`g."agentDid"`,
  k: Prisma.sql`k."agentDid"`,
  m: Prisma.sql`m."agentDid"`,
  t: Prisma.sql`t."agentDid"`,
};
