import { cache } from "react";
import { profileContext } from "@/lib/http/session/page";
import { Did, parseDid } from "@/lib/protocol/did";
import type { SessionUser } from "@/lib/services/accounts/sessions";
import { type AgentDossier, findKnownAgent } from "@/lib/services/agents/known/find-known";

/** Finds the agent that an address names, once for a page and its title. */
export const findAgent = cache(async (segment: string) => {
  const { ctx, who, profile } = await profileContext();
  const agentDid = didIn(segment);
  const { did } = profile;
  const dossier = agentDid === null ? null : await findKnownAgent(ctx, { did, agentDid });
  return { ctx, who, did, dossier };
});

/** Whether the person runs this agent: they registered it, or are an admin. */
export function runsAgent({ role }: SessionUser, { registered }: AgentDossier): boolean {
  return registered !== null && (role === "admin" || registered.by === "you");
}

// In the path its colons come percent-encoded; nothing else in a DID needs to be.
function didIn(segment: string): Did | null {
  const did = Did.safeParse(segment.replaceAll(/%3A/gi, ":")).data ?? null;
  return did !== null && parseDid(did)?.kind === "agent" ? did : null;
}
