import { headers } from "next/headers";
import { checkPassword } from "@/lib/auth/credentials";
import { engine } from "@/lib/engine/engine";
import { invalidRequest } from "@/lib/protocol/errors";
import { findCredential } from "@/lib/services/accounts/accounts";
import { isFresh } from "@/lib/services/accounts/own-sessions";
import type { Who } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";
import { peerOf } from "../peer";

interface Asked {
  ctx: Ctx;
  who: Who;
}

/**
 * That it is really them, before something that an open laptop must not be enough for: by the password,
 * counted like a sign-in, or by having signed in moments ago where there is none.
 */
export async function requireSelf(
  { ctx, who }: Asked,
  { field, password }: { field: string; password: string },
): Promise<void> {
  const refuse = (message: string) => invalidRequest([{ path: field, message }]);
  if (!(await hasPassword({ ctx, who }))) {
    if (await isFresh(ctx, who)) return;
    throw refuse("Sign out and in again first: this needs a session of the last ten minutes.");
  }
  const peer = peerOf(await headers(), engine().env.TRUST_PROXY_HOPS);
  const checked = await checkPassword(ctx, { email: who.email, password, peer });
  if (checked.outcome === "right") return;
  if (checked.outcome === "too many") {
    throw refuse("Too many attempts. Nothing was checked; try again in a few minutes.");
  }
  throw refuse("This is not your password.");
}

export async function hasPassword({ ctx, who }: Asked): Promise<boolean> {
  return ((await findCredential(ctx, who.email))?.passwordHash ?? null) !== null;
}
