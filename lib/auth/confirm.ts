import { type ConfirmedSession, confirmSession } from "@/lib/services/accounts/own-sessions";
import type { SessionUser } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";
import { checkPassword } from "./credentials";

interface Given {
  password: string;
  peer: string | null;
}

export type Confirmed =
  | { outcome: "confirmed"; session: ConfirmedSession }
  | { outcome: "wrong" }
  /** The password is right, but the session was renewed by another request, or is over. */
  | { outcome: "ended" }
  | { outcome: "too many"; until: Date };

/** Confirms and renews the session of `who` by password, which is rate limited like a sign-in. */
export async function confirmByPassword(
  ctx: Ctx,
  { who, password, peer }: Given & { who: SessionUser },
): Promise<Confirmed> {
  const checked = await checkPassword(ctx, { email: who.email, password, peer });
  if (checked.outcome === "too many") return checked;
  if (checked.outcome === "wrong") return checked;
  const session = checked.outcome === "right" ? await confirmSession(ctx, checked.by) : null;
  return session === null ? { outcome: "ended" } : { outcome: "confirmed", session };
}
