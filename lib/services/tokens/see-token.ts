import type { Did } from "@/lib/protocol/did";
import { factsWithToken } from "@/lib/rules/consent";
import type { TokenReach } from "@/lib/rules/facts";
import { type Lens, seeAsAgent } from "../access/sight/lens";
import type { Ctx } from "../context";
import { refuseInactive } from "./tokens";

export interface TokenImagined extends TokenReach {
  did: string;
  agentDid: Did;
}

/** A token takes nothing away: what it does not carry, the agent still reads with its own key. */
export interface TokenSight {
  /** What the token reads; new is what the agent's own key does not read yet, and then reads too. */
  token: Lens;
  /** What the agent's own key reads besides. */
  besides: Lens;
}

/** Returns what the holder of such a token would read if it were issued now; refuses where issuing would. */
export async function seeToken(
  ctx: Ctx,
  { did, agentDid, scopes, permissions }: TokenImagined,
): Promise<TokenSight> {
  const token = await seeAsAgent(ctx, {
    did,
    agentDid,
    imagine: (facts) => factsWithToken(facts, { scopes, permissions }),
  });
  await refuseInactive(ctx.db, agentDid);
  const known = { isNew: false };
  const items = token.lost.map((one) => ({ ...one, ...known }));
  const memories = token.lostMemories.map((one) => ({ ...one, ...known }));
  return { token, besides: { ...token, items, memories } };
}
