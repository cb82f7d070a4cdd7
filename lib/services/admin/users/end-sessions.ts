import type { Ctx } from "../../context";
import { administer } from "../administer";
import { lockUser } from "./change-user";

/** Signs a user out everywhere, or everybody; returns how many sessions ended. */
export async function endSessions(ctx: Ctx, userId?: string): Promise<number> {
  return administer(ctx, async ({ client, record }) => {
    // A sign-in that is under way locks the account too: it ends here, or begins afterwards.
    if (userId !== undefined) await lockUser(client, userId);
    const { rowCount } = await client.query(
      `DELETE FROM "Session" WHERE $1::text IS NULL OR "userId" = $1`,
      [userId],
    );
    const ended = rowCount ?? 0;
    await record({ verb: "endSessions", subjectId: userId ?? "everybody", after: { ended } });
    return ended;
  });
}
