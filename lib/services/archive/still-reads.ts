import { forbidden, notFound, signInFirst } from "@/lib/protocol/errors";
import { may, mayAdminister, type PersonCaller } from "@/lib/rules/may";
import { isLive } from "../accounts/session-life";
import type { Ctx } from "../context";

// An export goes on for as long as its reader takes. Asked after each page was read and before it is sent: who may
// read the profile then was also allowed to when the page was read.

/** Throws if the session is over, or if its person may not export this profile any more. */
export async function demandOwner(ctx: Ctx, profileId: number): Promise<void> {
  const caller = await findPerson(ctx);
  const profile = await ctx.db.profile.findUnique({
    where: { id: profileId },
    select: { did: true, ownerId: true, state: true },
  });
  if (profile === null) throw notFound("profile");
  const permit = may({ caller, verb: "exportProfile", profile });
  if (!permit.allowed) throw forbidden(permit.message);
}

/** Throws if the session is over, or if its person is no admin any more. */
export async function demandAdmin(ctx: Ctx): Promise<void> {
  const permit = mayAdminister(await findPerson(ctx));
  if (!permit.allowed) throw forbidden(permit.message);
}

/** Finds the caller by their session, with the role that they have now. */
async function findPerson({ db, now, caller }: Ctx): Promise<PersonCaller> {
  if (caller.kind !== "person" || caller.sessionId === null) throw forbidden();
  const { userId, sessionId: id } = caller;
  const session = await db.session.findUnique({
    where: { id, userId, ...isLive(now), user: { state: "active" } },
    select: { user: { select: { role: true } } },
  });
  if (session === null) throw signInFirst();
  return { ...caller, role: session.user.role };
}
