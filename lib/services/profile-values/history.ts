import type { Category } from "@/lib/protocol/scope";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

/** A change of a value that the log has: a named one has a category, a common one a member. */
export interface ValueChange {
  id: string;
  at: Date;
  action: string;
  category: Category | null;
  member: string | null;
  name: string | null;
}

const shownMax = 10;
const lookedAtMax = 10_000;

/** Lists the latest changes of values, newest first, among the profile's latest events. */
export async function listValueChanges(ctx: Ctx, { did }: { did: string }): Promise<ValueChange[]> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    return ctx.db.$queryRaw<ValueChange[]>`
      WITH latest AS (
        SELECT id, at, verb, outcome FROM "AccessEvent" WHERE "profileId" = ${profile.id}
        ORDER BY at DESC, id DESC LIMIT ${lookedAtMax}
      ), found AS (
        SELECT id, at FROM latest WHERE verb = 'editProfile' AND outcome = 'ok'
        ORDER BY at DESC, id DESC LIMIT ${shownMax}
      )
      SELECT e.id, e.at, e.detail->>'action' AS action, e.detail->>'category' AS category,
        e.detail->>'member' AS member, e.detail->>'name' AS name
      FROM found JOIN "AccessEvent" e ON e.id = found.id AND e.at = found.at
      ORDER BY e.at DESC, e.id DESC`;
  });
}
