import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { forbidden, notFound } from "@/lib/protocol/errors";
import { addProfileTo, type NewProfile, refusingTaken } from "../../accounts/new-profile";
import { profileSubject } from "../../audit/record";
import { withAuthority } from "../../authority";
import type { Ctx } from "../../context";
import { refuseOthers } from "../administer";

/** Creates a profile for an existing user; its log begins with the admin. */
export async function createProfileFor(
  ctx: Ctx,
  { userId, ...profile }: NewProfile & { userId: string },
): Promise<Did> {
  refuseOthers(ctx);
  const { now, requestId } = ctx;
  return refusingTaken(() =>
    withAuthority(ctx, { users: [userId], lasting: true }, async (tx, caller) => {
      refuseOthers({ caller });
      if (caller.kind !== "person") throw forbidden();
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
