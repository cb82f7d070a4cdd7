import { forbidden, signInFirst } from "@/lib/protocol/errors";
import { may, mayAdminister, type ProfileFact } from "@/lib/rules/may";
import { idleSince } from "../accounts/session-life";
import type { Ctx } from "../context";

// An export goes on for as long as its reader takes. Asked after each page was read and before it is sent: who may
// read the profile then was also allowed to when the page was read.

/** Throws if the session is over, or if its person may not export this profile any more. */
export async function demandOwner(ctx: Ctx, profileId: number): Promise<void> {
  const { userId, sessionId } = personOf(ctx);
  const { rows } = await ctx.pool.query<ProfileFact>(
    `SELECT p.did, p."ownerId", p.state FROM "Session" s
     JOIN "User" u ON u.id = s."userId" AND u.state = 'active' JOIN "Profile" p ON p.id = $4
     WHERE s.id = $1 AND s."userId" = $2 AND s."expiresAt" > $3 AND s."lastSeenAt" > $5`,
    [sessionId, userId, ctx.now, profileId, idleSince(ctx.now)],
  );
  const [profile] = rows;
  if (profile === undefined) throw signInFirst();
  const permit = may({ caller: ctx.caller, verb: "exportProfile", profile });
  if (!permit.allowed) throw forbidden(permit.message);
}

/** Throws if the session is over, or if its person is no admin any more. */
export async function demandAdmin(ctx: Ctx): Promise<void> {
  const { userId, sessionId } = personOf(ctx);
  const { rows } = await ctx.pool.query<{ role: "user" | "admin" }>(
    `SELECT u.role FROM "Session" s JOIN "User" u ON u.id = s."userId" AND u.state = 'active'
     WHERE s.id = $1 AND s."userId" = $2 AND s."expiresAt" > $3 AND s."lastSeenAt" > $4`,
    [sessionId, userId, ctx.now, idleSince(ctx.now)],
  );
  const [user] = rows;
  if (user === undefined) throw signInFirst();
  const permit = mayAdminister({ ...personOf(ctx), role: user.role });
  if (!permit.allowed) throw forbidden(permit.message);
}

function personOf({ caller }: Ctx) {
  if (caller.kind !== "person") throw forbidden();
  return caller;
}
