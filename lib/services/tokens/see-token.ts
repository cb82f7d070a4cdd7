import type { Did } from "@/lib/protocol/did";
import { factsWithToken } from "@/lib/rules/consent";
import type { TokenReach } from "@/lib/rules/facts";
import { type Lens, seeAsAgent } from "../access/lens";
import type { Ctx } from "../context";

export interface TokenImagined extends TokenReach {
  did: string;
  agentDid: Did;
}

/** Returns what the holder of such a token would read if it were issued now. */
export async function seeToken(
  ctx: Ctx,
  { did, agentDid, scopes, permissions }: TokenImagined,
): Promise<Lens> {
  const lens = await seeAsAgent(ctx, {
    did,
    agentDid,
    imagine: (facts) => factsWithToken(facts, { scopes, permissions }),
  });
  return { ...lens, requested: [...scopes] };
}
