import { rateLimited } from "@/lib/protocol/errors";
import { refuseClosedRegistration } from "@/lib/services/agents/register";
import { peerCaller, registrations } from "../admission";
import type { RequestContext } from "../request-context";

// Anybody may come here, so each network is limited: what it makes are rows, and fetches of documents.

/**
 * Counts a client that is new as a registration of its peer. Those that a page sends count apart: any page may, from
 * the browser of somebody who only looks at it.
 */
export async function admitClient(
  context: RequestContext,
  { origin = null }: { origin?: string | null } = {},
): Promise<void> {
  const { AGENT_REGISTRATION, LIMIT_REGISTER } = context.engine.settings.values();
  refuseClosedRegistration(AGENT_REGISTRATION);
  const counted = origin === null ? registrations : `${registrations}-page`;
  await countPeer(context, { class: counted, limit: LIMIT_REGISTER });
}

const documentsAnHourMax = 60;

/** Counts a document that is read once more. */
export function admitDocument(context: RequestContext): Promise<void> {
  return countPeer(context, { class: "document", limit: documentsAnHourMax });
}

// An owner needs one for each program that they connect.
const questionsAnHourMax = 200;

export function admitQuestion(context: RequestContext): Promise<void> {
  return countPeer(context, { class: "authorize", limit: questionsAnHourMax });
}

async function countPeer(
  { engine, peer, now }: RequestContext,
  counted: { class: string; limit: number },
): Promise<void> {
  const { admitted, standing } = await engine.counters.admit({
    caller: peerCaller(peer),
    ...counted,
  });
  if (!admitted) throw rateLimited({ ...standing, now });
}
