import { rateLimited, tooManyActions } from "@/lib/protocol/errors";
import { sessionCaller } from "@/lib/services/accounts/sessions";
import { hourlyMax } from "@/lib/services/mail/enqueue";
import type { RequestContext } from "../request-context";

interface Counting {
  userId: string;
  class: "session" | "view" | "address";
  limit: number;
}

function count({ counters }: RequestContext["engine"], { userId, ...counting }: Counting) {
  return counters.admit({ caller: sessionCaller(userId), ...counting });
}

/**
 * Counts a page view; throws beyond LIMIT_SESSION. Counted apart from actions, so that pages that refresh
 * themselves block nobody.
 */
export async function admitView(
  { engine, now }: Pick<RequestContext, "engine" | "now">,
  userId: string,
): Promise<void> {
  const limit = engine.settings.values().LIMIT_SESSION;
  const { admitted, standing } = await count(engine, { userId, class: "view", limit });
  if (!admitted) throw rateLimited({ ...standing, now });
}

/** Counts a signed-in user's request; throws beyond LIMIT_SESSION. Sets the rate limit of the answer's headers. */
export async function admitPerson(
  context: Pick<RequestContext, "engine" | "now"> & Partial<RequestContext>,
  userId: string,
): Promise<void> {
  const { engine, now } = context;
  const limit = engine.settings.values().LIMIT_SESSION;
  const { admitted, standing } = await count(engine, { userId, class: "session", limit });
  context.standing = standing;
  if (!admitted) throw tooManyActions({ ...standing, now });
}

/** Counts a link that a user has mailed to an address, which may be a stranger's; throws beyond five an hour. */
export async function admitAddressLink(
  { engine, now }: Pick<RequestContext, "engine" | "now">,
  userId: string,
): Promise<void> {
  const counting = { userId, class: "address", limit: hourlyMax } as const;
  const { admitted, standing } = await count(engine, counting);
  if (!admitted) throw tooManyActions({ ...standing, now });
}
