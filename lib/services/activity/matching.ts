import { Prisma } from "@/lib/engine/prisma-client/client";
import { type ActivityKind, verbsOf } from "./kinds";

export interface ActivityFilter {
  /** The DID of the actor: an agent, or the owner. */
  actor?: string;
  kind?: ActivityKind;
  outcome?: "ok" | "refused";
  from?: Date;
  /** Not included. */
  to?: Date;
}

/** The condition of `isRefused` on `"AccessEvent" e`. */
export const refused = Prisma.sql`(e.outcome <> 'ok'
  AND NOT (e.verb = 'requestAccess' AND e."subjectId" IS NOT NULL))`;

/** The condition of a filter on `"AccessEvent" e`. */
export function matching(
  profileId: number,
  { actor, kind, outcome, from, to }: ActivityFilter,
): Prisma.Sql {
  const conditions = [Prisma.sql`e."profileId" = ${profileId}`];
  if (actor !== undefined) conditions.push(Prisma.sql`e."actorId" = ${actor}`);
  if (kind !== undefined) {
    const { verbs, areThese } = verbsOf(kind);
    conditions.push(Prisma.sql`(e.verb = ANY(${verbs}::text[])) = ${areThese}`);
  }
  if (outcome !== undefined) {
    conditions.push(outcome === "ok" ? Prisma.sql`e.outcome = 'ok'` : refused);
  }
  if (from !== undefined) conditions.push(Prisma.sql`e.at >= ${from}`);
  if (to !== undefined) conditions.push(Prisma.sql`e.at < ${to}`);
  return Prisma.join(conditions, " AND ");
}
