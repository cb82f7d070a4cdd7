import { forbidden, notFound, signInFirst, unauthorized } from "@/lib/protocol/errors";
import { may, mayAdminister, type PersonCaller, type Verb } from "@/lib/rules/may";
import { isLive } from "../accounts/session-life";
import { AuthorityChanged } from "../authority";
import type { Ctx } from "../context";
import { loadFacts, type ProfileFacts } from "../facts";
import { reviewersOf } from "../reviewers/reviewers-of";

// An export goes on for as long as its reader takes, and other reads wait for their turn. Asked after each page was
// read and before it is sent: a caller that may read the profile then was allowed to when the page was read.

/** Throws if the session is over, or if its person may not do this with the profile any more. */
export async function demandOwner(
  ctx: Ctx,
  profileId: number,
  verb: Verb = "exportProfile",
): Promise<void> {
  const caller = await findPerson(ctx);
  const profile = await ctx.db.profile.findUnique({
    where: { id: profileId },
    select: { did: true, ownerId: true, state: true },
  });
  if (profile === null) throw notFound("profile");
  const reviewers =
    verb === "reviewForOwner" ? await reviewersOf(ctx.db, profileId, ctx.now) : undefined;
  const permit = may({ caller, verb, profile: { ...profile, reviewers } });
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

type Read = ProfileFacts & { verb: Verb };

/** After what was read had to wait: throws where the caller's authority has ended, or changed, since it was decided. */
export async function demandSame(ctx: Ctx, { verb, profile, facts }: Read): Promise<void> {
  if (ctx.caller.kind === "person") return demandOwner(ctx, profile.id, verb);
  const wants = { categories: false, authority: true };
  const now = await loadFacts(ctx.pool, { profileDid: profile.did, ...ctx, wants });
  if (now.profile.authority === null) throw unauthorized();
  if (authorityText(now) !== authorityText({ profile, facts })) throw new AuthorityChanged();
}

function authorityText({ profile: { ownerId, state }, facts }: ProfileFacts) {
  const sorted = facts && {
    ...facts,
    policies: facts.policies.toSorted(byId),
    receipts: facts.receipts.toSorted(byId),
  };
  return JSON.stringify([ownerId, state, sorted]);
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}
