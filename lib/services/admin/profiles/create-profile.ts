import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { forbidden, notFound } from "@/lib/protocol/errors";
import { addProfileTo, type NewProfile, refusingTaken } from "../../accounts/new-profile";
import { profileSubject } from "../../audit/record";
import type { Ctx } from "../../context";
import { refuseOthers } from "../administer";

/** For a user who has an account; its log begins with who made it. */
export async function createProfileFor(
  ctx: Ctx,
  { userId, ...profile }: NewProfile & { userId: string },
): Promise<Did> {
  refuseOthers(ctx);
  const { caller, db, now, requestId } = ctx;
  if (caller.kind !== "person") throw forbidden();
  return refusingTaken(() =>
    db.$transaction(async (tx) => {
      const admins = await tx.$queryRaw<unknown[]>`
        SELECT id FROM "User" WHERE id = ${caller.userId} AND role = 'admin' AND state = 'active'
        FOR SHARE`;
      if (admins.length === 0) throw forbidden("Only an admin may do this.");
      const user = await tx.user.findUnique({ where: { id: userId }, select: { role: true } });
      if (user === null) throw notFound("user");
      const did = await addProfileTo(tx, ctx, { ...profile, userId, role: user.role });
      const { id } = await tx.profile.findUniqueOrThrow({ where: { did }, select: { id: true } });
      await tx.adminEvent.create({
        data: {
          id: newId("evt"),
          at: now,
          adminId: caller.userId,
          verb: "createProfile",
          subjectId: profileSubject(id),
          after: { ownerId: userId },
          requestId,
        },
      });
      return did;
    }),
  );
}
