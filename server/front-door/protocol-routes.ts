import { POST as requestAccess } from "@/app/prof/v1/profile/[did]/access/route";
import { POST as proposeMemory } from "@/app/prof/v1/profile/[did]/memories/propose/route";
import { GET as listMemories } from "@/app/prof/v1/profile/[did]/memories/route";
import { POST as reviewProposal } from "@/app/prof/v1/profile/[did]/proposals/[proposalId]/review/route";
import { GET as listProposals } from "@/app/prof/v1/profile/[did]/proposals/route";
import { GET as getProfile } from "@/app/prof/v1/profile/[did]/route";
import { POST as proposeOwnMemory } from "@/app/prof/v1/profile/memories/propose/route";
import { GET as getOwnProfile } from "@/app/prof/v1/profile/route";
import {
  answerOtherMethod,
  answerUnknownPath,
  type RouteFunction,
} from "@/lib/http/protocol-route";
import { type endpoints, matchEndpoint } from "@/lib/protocol/endpoints";
import { decodePath } from "@/lib/protocol/signature";

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

/** The exported function of app/prof that answers this method and target. */
export function protocolRoute(method: string, target: string): RouteFunction {
  const [path = ""] = target.split("?");
  const match = matchEndpoint(method, decodePath(path) ?? []);
  if (match === null) return answerUnknownPath;
  return "allow" in match ? answerOtherMethod(match.allow) : routes[match.endpoint.name];
}
