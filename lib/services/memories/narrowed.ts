import { Prisma } from "@/lib/engine/prisma-client/client";
import type { BrowseQuery } from "./browse";
import { stateIs } from "./shown";

export type Narrowing = Pick<BrowseQuery, "category" | "source" | "state">;

/** The condition of a filter on `"Memory" m`. */
export function narrowed(profileId: number, { category, source, state }: Narrowing): Prisma.Sql {
  const conditions = [Prisma.sql`m."profileId" = ${profileId}`, stateIs[state]];
  if (category !== undefined) {
    conditions.push(
      Prisma.sql`(m.category = ${category} OR starts_with(m.category, ${`${category}.`}))`,
    );
  }
  if (source !== undefined) {
    conditions.push(
      source === "owner" || source === "imported"
        ? Prisma.sql`m.source = ${source}::"MemorySource"`
        : Prisma.sql`m."agentDid" = ${source}`,
    );
  }
  return Prisma.join(conditions, " AND ");
}
