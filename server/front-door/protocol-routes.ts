import { POST as requestAccess } from "@/app/prof/v1/profile/[did]/access/route";
import { POST as proposeMemory } from "@/app/prof/v1/profile/[did]/memories/propose/route";
import { GET as listMemories } from "@/app/prof/v1/profile/[did]/memories/route";
import { POST as reviewProposal } from "@/app/prof/v1/profile/[did]/proposals/[proposalId]/review/route";
import { GET as listProposals } from "@/app/prof/v1/profile/[did]/proposals/route";
import { GET as getProfile } from "@/app/prof/v1/profile/[did]/route";
import { POST as proposeOwnMemory } from "@/app/prof/v1/profile/memories/propose/route";
import { GET as getOwnProfile } from "@/app/prof/v1/profile/route";
import type { Target } from "@/lib/http/protocol-request";
import {
  type Answering,
  answerOtherMethod,
  answerUnknownPath,
  lacksDid,
  type RouteFunction,
} from "@/lib/http/protocol-route";
import { type endpoints, matchEndpoint } from "@/lib/protocol/endpoints";

const routes: Record<keyof typeof endpoints, RouteFunction> = {
  getProfile,
  requestAccess,
  listMemories,
  proposeMemory,
  listProposals,
  reviewProposal,
  getOwnProfile,
  proposeOwnMemory,
};

/** Returns the route under app/prof for this method and target. */
export function protocolRoute(method: string, { segments }: Target): Answering {
  if (lacksDid(segments)) return answerUnknownPath;
  const match = matchEndpoint(method, segments ?? []);
  if (match === null) return answerUnknownPath;
  return "allow" in match ? answerOtherMethod(match.allow) : routes[match.endpoint.name].directly;
}
