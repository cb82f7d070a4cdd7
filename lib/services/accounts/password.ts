import { forbidden, invalidRequest } from "@/lib/protocol/errors";
import { recordAdmin } from "../audit/record";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";
import { warnUser } from "../mail/enqueue";
import { takeBackAcceptances } from "../transfers/answer";
import { pauseWebhooksOf } from "../webhooks/pause";
import { unlinkAll } from "./identities";
import { renewal, type SessionValue } from "./sessions";

export interface NewPassword {
  /** The hash that it replaces; null if there was none. */
  from: string | null;
  to: string;
}

export interface PasswordSet {
  /** How many other sessions it ended. */
  ended: number;
  /** The providers that no longer sign this person in; a first password keeps them. */
  unlinked: string[];
  /** How many webhooks of this person's agents it paused. */
  webhooks: number;
  /** The caller's new session value. */
  session: SessionValue;
}

/** Ends all sessions of the old password, including copies of the caller's own cookie. */
export async function setPassword(ctx: Ctx, { from, to }: NewPassword): Promise<PasswordSet> {
  const { caller, now } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId, sessionId } = caller;
  return withAuthority(ctx, { users: [userId], lasting: true }, async (tx) => {
    const [changed] = await tx.user.updateManyAndReturn({
      where: { id: userId, passwordHash: from },
      data: { passwordHash: to },
      select: { email: true },
    });
    if (changed === undefined) {
      const message = "The password was changed elsewhere a moment ago. Nothing was changed here.";
      throw invalidRequest([{ path: "form", message }]);
    }
    const others = { userId, ...(sessionId === null ? {} : { id: { not: sessionId } }) };
    const { count: ended } = await tx.session.deleteMany({ where: others });
    // Also ends the links that somebody made in their name.
    await tx.oneTimeLink.deleteMany({
      where: {
        usedAt: null,
        OR: [{ purpose: "password_reset", email: changed.email }, { createdBy: userId }],
      },
    });
    const unlinked = from === null ? [] : await unlinkAll(tx, userId);
    const { token, fields } = renewal();
    const [session] = await tx.session.updateManyAndReturn({
      where: { id: sessionId ?? "" },
      data: fields,
      select: { expiresAt: true },
    });
    if (session === undefined) throw new Error("the session is locked, so it is there");
    await takeBackAcceptances(tx, { userId, now });
    const webhooks =
      from === null ? 0 : await pauseWebhooksOf(tx, { userId, now, because: "password" });
    const change =
      from === null
        ? { verb: "setPassword" }
        : { verb: "changePassword", after: { unlinked, webhooks } };
    await recordAdmin(tx, { ctx, event: { ...change, subjectId: userId } });
    await warnUser(tx, { now, userId, event: "password_changed" });
    const renewedSession = { token, expiresAt: session.expiresAt };
    return { ended, unlinked, webhooks, session: renewedSession };
  });
}
