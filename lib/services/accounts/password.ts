import { inTransaction } from "@/lib/engine/db";
import { forbidden, invalidRequest } from "@/lib/protocol/errors";
import { recordAdmin } from "../audit/record";
import type { Ctx } from "../context";

export interface NewPassword {
  /** What the old one was checked against; null where there was none. */
  from: string | null;
  to: string;
  /** The session that goes on. All others end. */
  keepId: string;
}

/** Of whoever is signed in. Somebody who was in under the old password is out. */
export async function setPassword(ctx: Ctx, { from, to, keepId }: NewPassword): Promise<number> {
  const { caller, pool } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  return inTransaction(pool, async (client) => {
    const changed = await client.query(
      `UPDATE "User" SET "passwordHash" = $3 WHERE id = $1 AND "passwordHash" IS NOT DISTINCT FROM $2`,
      [userId, from, to],
    );
    if (changed.rowCount === 0) {
      const message = "The password was changed elsewhere a moment ago. Nothing was changed here.";
      throw invalidRequest([{ path: "form", message }]);
    }
    const ended = await client.query(`DELETE FROM "Session" WHERE "userId" = $1 AND id <> $2`, [
      userId,
      keepId,
    ]);
    const event = { verb: from === null ? "setPassword" : "changePassword", subjectId: userId };
    await recordAdmin(client, { ctx, event });
    return ended.rowCount ?? 0;
  });
}
