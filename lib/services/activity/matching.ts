import { type ActivityKind, verbsOf } from "./kinds";

export interface ActivityFilter {
  /** DID of who acted: an agent, or the owner. */
  actor?: string;
  kind?: ActivityKind;
  outcome?: "ok" | "refused";
  from?: Date;
  /** Not included. */
  to?: Date;
}

/** For statements over `"AccessEvent" e`. Unnamed ones: then what is left out is not looked at. */
export const matching = `
  e."profileId" = $1 AND ($2::text IS NULL OR e."actorId" = $2)
  AND ($3::text[] IS NULL OR (e.verb = ANY($3)) = $4)
  AND ($5::text IS NULL OR (e.outcome = 'ok') = ($5 = 'ok'))
  AND e.at >= coalesce($6::timestamptz, '-infinity') AND e.at < coalesce($7::timestamptz, 'infinity')`;

/** The first seven values of a statement with `matching`. */
export function matchingValues(profileId: number, filter: ActivityFilter): unknown[] {
  const { actor, kind, outcome, from, to } = filter;
  const { verbs, areThese } = kind === undefined ? {} : verbsOf(kind);
  return [profileId, actor, verbs, areThese, outcome, from, to];
}
