import { currentUser } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { notFound, unauthorized } from "@/lib/protocol/errors";
import type { SessionUser } from "@/lib/services/accounts/sessions";
import type { OwnProfile } from "./page";
import { refuseOtherSites } from "./same-origin";

/** Returns the user and their profile that `?profile=<did>` names, for the dashboard's own scripts. */
export async function ownProfileOf(
  request: Request,
): Promise<{ who: SessionUser; profile: OwnProfile; query: URLSearchParams }> {
  // A page elsewhere must not even learn that something happens here.
  refuseOtherSites(request, engine().env);
  const who = await currentUser();
  if (who === null) throw unauthorized();
  const query = new URL(request.url).searchParams;
  const profile = who.profiles.find(({ did }) => did === query.get("profile"));
  if (profile === undefined) throw notFound("profile");
  return { who, profile, query };
}
