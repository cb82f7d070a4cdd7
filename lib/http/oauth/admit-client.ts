import { rateLimited } from "@/lib/protocol/errors";
import { refuseClosedRegistration } from "@/lib/services/agents/register";
import { peerCaller, registrations } from "../admission";
import type { RequestContext } from "../request-context";

// Anybody may come here, so each network is limited: what it makes are rows, and fetches of documents.

/**
 * Counts a client that is new as a registration of its peer. Registrations from web pages count apart: any page can
 * send them from its visitor's browser.
 */
export async function admitClient(
  context: RequestContext,
  { origin = null }: { origin?: string | null } = {},
): Promise<void> {
  const { AGENT_REGISTRATION, LIMIT_REGISTER } = context.engine.settings.values();
  refuseClosedRegistration(AGENT_REGISTRATION);
  const limitClass = origin === null ? registrations : `${registrations}-page`;
  await countPeer(context, { class: limitClass, limit: LIMIT_REGISTER });
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
  limited: { class: string; limit: number },
): Promise<void> {
  const { admitted, standing } = await engine.counters.admit({
    caller: peerCaller(peer),
    ...limited,
  });
  if (!admitted) throw rateLimited({ ...standing, now });
}
