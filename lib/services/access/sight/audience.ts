import { agentDid as agentDidOf } from "@/lib/protocol/did";
import type { Category } from "@/lib/protocol/scope";
import { reachesEveryAgent } from "@/lib/rules/agent-pattern";
import { strangerFacts } from "@/lib/rules/effect/imagined-agents";
import { type Opening, openingsOf } from "@/lib/rules/effect/openings";
import type { Policy } from "@/lib/rules/facts";
import type { Ctx } from "../../context";
import { withProfile } from "../../profile-gate";
import type { NamedAgent } from "../named-agent";
import { loadKnownFacts } from "./known-facts";

/** An agent, and the rule that opens something to it. */
export interface Reader extends NamedAgent, Opening {}

/** Whether a policy for every agent opens it to all active ones, or to all verified ones. */
export type Everyone = "all" | "verified" | null;

export interface Audience {
  /** They can read it. */
  agents: Reader[];
  everyone: Everyone;
  /** They cannot yet, and may take it without asking. */
  takers: Reader[];
  everyoneTakes: Everyone;
}

export interface AudienceInput {
  did: string;
  categories: readonly Category[];
}

/**
 * Returns who could read a memory of each category now, or take it without asking, decided as the API does: the
 * agents that know this profile, and whether all others may too.
 */
export async function audienceOf(
  ctx: Ctx,
  { did, categories }: AudienceInput,
): Promise<Map<Category, Audience>> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const { id: profileId } = profile;
    const { policies, known } = await loadKnownFacts(ctx.db, { profileId, now: ctx.now });
    const agents = known.map(({ agent, facts }) => ({ agent, openings: openingsOf(facts) }));
    const everyoneIn = everyoneOf(policies, ctx.now);
    return new Map(
      [...new Set(categories)].map((category) => {
        const found = agents.map(({ agent, openings }) => ({ agent, ...openings(category) }));
        const withRule = (opening: (one: (typeof found)[number]) => Opening | null): Reader[] =>
          found.flatMap((one) => {
            const opened = opening(one);
            return opened === null ? [] : [{ ...one.agent, ...opened }];
          });
        const audience = {
          agents: withRule(({ reads }) => reads),
          takers: withRule(({ reads, takes }) => (reads === null ? takes : null)),
          ...everyoneIn(category),
        };
        return [category, audience];
      }),
    );
  });
}

type ForEveryone = Pick<Audience, "everyone" | "everyoneTakes">;

// An unknown agent: only general rules apply to it.
function everyoneOf(all: Policy[], now: Date): (category: Category) => ForEveryone {
  const policies = all.filter(({ agentPattern }) => reachesEveryAgent(agentPattern));
  const did = agentDidOf("any", "agent");
  const [anybody, verified] = [false, true].map((isVerified) =>
    openingsOf(strangerFacts({ did, verified: isVerified, policies, now })),
  );
  return (category) => {
    const [any, trusted] = [anybody?.(category), verified?.(category)];
    const extent = (opens: "reads" | "takes"): Everyone => {
      if (any?.[opens]) return "all";
      return trusted?.[opens] ? "verified" : null;
    };
    return { everyone: extent("reads"), everyoneTakes: extent("takes") };
  };
}
