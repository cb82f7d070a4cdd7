import { redirect } from "next/navigation";
import { currentUser, requestCtx } from "@/lib/auth/session";
import type { Who } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";

/** What a page of somebody signed in starts from; others are sent to sign in. */
export async function pageContext(): Promise<{ ctx: Ctx; who: Who }> {
  const who = await currentUser();
  if (who === null) redirect("/sign-in");
  const { userId, role } = who;
  return { ctx: requestCtx({ kind: "person", userId, role }), who };
}
