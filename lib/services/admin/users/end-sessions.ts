import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../../context";
import { administer } from "../administer";

/** Signs a user out everywhere, or everybody; returns how many sessions ended. */
export async function endSessions(ctx: Ctx, userId?: string): Promise<number> {
  return administer(ctx, {}, async ({ tx, record }) => {
    // A sign-in under way locks the account too: it ends here, or begins afterwards.
    const known =
      await tx.$executeRaw`SELECT FROM "User" WHERE ${userId ?? null}::text IS NULL OR id = ${userId ?? null} ORDER BY id FOR UPDATE`;
    if (known === 0) throw notFound("user");
    const { count: ended } = await tx.session.deleteMany({ where: { userId } });
    // Links that somebody else may have made in the user's name.
    await tx.oneTimeLink.deleteMany({
      where: { usedAt: null, createdBy: userId ?? { not: null } },
    });
    await record({ verb: "endSessions", subjectId: userId ?? "everybody", after: { ended } });
    return ended;
  });
}
