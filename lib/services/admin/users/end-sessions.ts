import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../../context";
import { administer } from "../administer";

/** Signs a user out everywhere, or everybody; returns how many sessions ended. */
export async function endSessions(ctx: Ctx, userId?: string): Promise<number> {
  return administer(ctx, {}, async ({ client, record }) => {
    // A sign-in that is under way locks the account too: it ends here, or begins afterwards.
    const { rowCount: known } = await client.query(
      `SELECT FROM "User" WHERE $1::text IS NULL OR id = $1 ORDER BY id FOR UPDATE`,
      [userId],
    );
    if (known === 0) throw notFound("user");
    const { rowCount } = await client.query(
      `DELETE FROM "Session" WHERE $1::text IS NULL OR "userId" = $1`,
      [userId],
    );
    // What somebody else may have made in their name while they were in.
    await client.query(
      `DELETE FROM "OneTimeLink" WHERE "usedAt" IS NULL AND "createdBy" IS NOT NULL
         AND ($1::text IS NULL OR "createdBy" = $1)`,
      [userId],
    );
    const ended = rowCount ?? 0;
    await record({ verb: "endSessions", subjectId: userId ?? "everybody", after: { ended } });
    return ended;
  });
}
