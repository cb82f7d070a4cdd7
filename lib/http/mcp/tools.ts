import { z } from "zod";
import { endpoints, type LimitClass } from "@/lib/protocol/endpoints";
import { AccessRequest, ProposalRequest } from "@/lib/protocol/requests";
import { text } from "@/lib/protocol/resources";
import { Category } from "@/lib/protocol/scope";
import type { TokenCaller } from "@/lib/rules/may";
import type { Ctx } from "@/lib/services/context";
import { getProfile } from "@/lib/services/profiles";
import { proposeMemory } from "@/lib/services/proposals/propose";
import { requestAccess } from "@/lib/services/receipts/receipts";
import { followAccess, followProposal } from "@/lib/services/requests/follow";
import { answerLengthMax, answerWhy } from "@/lib/services/requests/inquiry";
import { withdrawProposal } from "@/lib/services/requests/withdraw";
import { searchReadable } from "@/lib/services/search/search-readable";

// What a client can do at /mcp: the protocol's verbs, for the profile of its token. None of them approves.

/** The context of a call: a token identified its caller. */
export interface ToolCtx extends Ctx {
  caller: TokenCaller;
  /** Where its owner answers. */
  origin: string;
}

export interface Tool<S extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: S;
  isReadOnly: boolean;
  /** Null for what costs nothing. */
  limitClass: LimitClass | null;
  /** What a client has to be allowed for this call: it asks its owner for that where it is refused. */
  needs: (input: z.output<S>) => readonly string[];
  run: (ctx: ToolCtx, input: z.output<S>) => Promise<object>;
}

function tool<S extends z.ZodObject>(made: Tool<S>): Tool<S> {
  return made;
}

const nothing = () => [];

const whoami = tool({
  name: "whoami",
  title: "Who is connected",
  description: "Tells whose profile this is, and what its owner let this connection do.",
  input: z.object({}),
  isReadOnly: true,
  limitClass: null,
  needs: nothing,
  run: async ({ caller }) => ({
    agent: caller.did,
    profile: caller.profileDid,
    scopes: caller.scopes,
    permissions: caller.permissions,
  }),
});

const Scopes = AccessRequest.shape.scopes;

const readProfile = tool({
  name: "read_profile",
  title: "Read the profile",
  description: `${endpoints.getProfile.summary} Without scopes: all that it shows.`,
  input: z.object({ scopes: Scopes.optional() }),
  isReadOnly: true,
  limitClass: endpoints.getProfile.limitClass,
  needs: ({ scopes = [] }) => scopes,
  run: async (ctx, { scopes }) => {
    const { data, meta } = await getProfile(ctx, { did: ctx.caller.profileDid, scopes });
    return { ...data, meta };
  },
});

const searchMemories = tool({
  name: "search_memories",
  title: "Search memories",
  description: `Find memories by words. ${endpoints.listMemories.summary} Only what the owner's policies show is searched.`,
  input: z.object({
    query: text({ min: 1, max: 200 })
      .optional()
      .describe(
        "Texts with all of these words come first, then those with the query as it is somewhere in them. Without it: the newest.",
      ),
    category: Category.optional().describe("This category and everything below it."),
    limit: z.int().min(1).max(100).default(20),
  }),
  isReadOnly: true,
  limitClass: endpoints.listMemories.limitClass,
  needs: ({ category }) => (category === undefined ? [] : [category]),
  run: (ctx, input) => searchReadable(ctx, { did: ctx.caller.profileDid, ...input }),
});

const propose = tool({
  name: "propose_memory",
  title: "Propose a memory",
  description: `${endpoints.proposeMemory.summary} Nobody else can. Ask what became of it with request_status.`,
  input: ProposalRequest,
  isReadOnly: false,
  limitClass: endpoints.proposeMemory.limitClass,
  needs: ({ category }) => [category, "propose"],
  run: async (ctx, proposal) => {
    const { data } = await proposeMemory(ctx, { did: ctx.caller.profileDid, ...proposal });
    return data;
  },
});

const askForAccess = tool({
  name: "request_access",
  title: "Request access",
  description: `${endpoints.requestAccess.summary} What the owner has to decide waits for them: show them the link, then ask with request_status.`,
  input: AccessRequest,
  isReadOnly: false,
  limitClass: endpoints.requestAccess.limitClass,
  needs: nothing,
  run: async (ctx, request) => {
    const { data } = await requestAccess(ctx, {
      did: ctx.caller.profileDid,
      ...request,
      origin: ctx.origin,
    });
    return data;
  },
});

const requestId = z.string().regex(/^creq_\w{22}$/);
const proposalId = z.string().regex(/^prop_\w{22}$/);

const requestStatus = tool({
  name: "request_status",
  title: "What became of a request",
  description:
    "Tells what the owner decided about an access request or a proposal of yours. They may ask you a question about it, which you answer here, once.",
  input: z.object({
    id: z.union([requestId, proposalId]).describe("creq_<id> or prop_<id>"),
    answer: text({ min: 1, max: answerLengthMax })
      .optional()
      .describe("Your answer to the owner's question, if they asked one."),
  }),
  isReadOnly: false,
  limitClass: endpoints.listProposals.limitClass,
  needs: nothing,
  run: async (ctx, { id, answer }): Promise<object> => {
    const following = { did: ctx.caller.profileDid, id };
    if (answer !== undefined) await answerWhy(ctx, { ...following, answer });
    return id.startsWith("creq_") ? followAccess(ctx, following) : followProposal(ctx, following);
  },
});

const withdraw = tool({
  name: "withdraw_proposal",
  title: "Take back a proposal",
  description: "Takes back a proposal of yours that the owner has not decided yet.",
  input: z.object({ id: proposalId.describe("prop_<id>") }),
  isReadOnly: false,
  limitClass: endpoints.proposeMemory.limitClass,
  needs: nothing,
  run: (ctx, { id }) => withdrawProposal(ctx, { did: ctx.caller.profileDid, id }),
});

/** In the order that clients list them. */
export const tools = [
  ...[whoami, readProfile, searchMemories, propose],
  ...[askForAccess, requestStatus, withdraw],
] as const;
