import { forbidden, invalidRequest } from "@/lib/protocol/errors";
import { recordAdmin } from "../audit/record";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";
import { takeBackAcceptances } from "../transfers/answer";
import { unlinkAll } from "./identities";
import { renewal, type SessionValue } from "./sessions";

export interface NewPassword {
  /** The hash it replaces; null where there was none. */
  from: string | null;
  to: string;
}

export interface PasswordSet {
  /** How many other sessions it ended. */
  ended: number;
  /** The providers that no longer sign this person in; a first password keeps them. */
  unlinked: string[];
  /** The caller's session goes on under this value. */
  session: SessionValue;
}

/** Locks out everybody who was in under the old password: also with a copy of the caller's own cookie. */
export async function setPassword(ctx: Ctx, { from, to }: NewPassword): Promise<PasswordSet> {
  const { caller, now } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId, sessionId } = caller;
  return withAuthority(ctx, { users: [userId], lasting: true }, async (client) => {
    const changed = await client.query<{ email: string }>(
      `UPDATE "User" SET "passwordHash" = $3
       WHERE id = $1 AND "passwordHash" IS NOT DISTINCT FROM $2 RETURNING email`,
      [userId, from, to],
    );
    if (changed.rowCount === 0) {
      const message = "The password was changed elsewhere a moment ago. Nothing was changed here.";
      throw invalidRequest([{ path: "form", message }]);
    }
    const ended = await client.query(`DELETE FROM "Session" WHERE "userId" = $1 AND id <> $2`, [
      userId,
      sessionId,
    ]);
    // And the links that somebody made in their name.
    await client.query(
      `DELETE FROM "OneTimeLink" WHERE "usedAt" IS NULL
         AND ((purpose = 'password_reset' AND email = $1) OR "createdBy" = $2)`,
      [changed.rows[0]?.email, userId],
    );
    const unlinked = from === null ? [] : await unlinkAll(client, userId);
    const { token, fields } = renewal();
    const renewed = await client.query<{ expiresAt: Date }>(
      `UPDATE "Session" SET id = $2, "tokenHash" = $3 WHERE id = $1 RETURNING "expiresAt"`,
      [sessionId, fields.id, Buffer.from(fields.tokenHash)],
    );
    const [session] = renewed.rows;
    if (session === undefined) throw new Error("the session is locked, so it is there");
    await takeBackAcceptances(client, { userId, now });
    const change =
      from === null ? { verb: "setPassword" } : { verb: "changePassword", after: { unlinked } };
    await recordAdmin(client, { ctx, event: { ...change, subjectId: userId } });
    const renewedSession = { token, expiresAt: session.expiresAt };
    return { ended: ended.rowCount ?? 0, unlinked, session: renewedSession };
  });
}
