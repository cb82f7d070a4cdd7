import type { Tx } from "@/lib/engine/db";
import type { Purpose } from "@/lib/protocol/resources";
import type { Reason } from "@/lib/rules/decide";
import { deniesAll } from "../denial/deny-all";

const everyDays = 7;

interface Asking {
  agentDid: string;
  now: Date;
  purpose: Purpose;
  /** Why its scopes were denied. */
  reasons: readonly Reason[];
}

/**
 * Notes that an agent which its owner shut out asks to be let in again, once a week. Its answer stays the same. Returns
 * whether it was noted.
 */
export async function askToResume(
  tx: Tx,
  { agentDid, now, purpose, reasons }: Asking,
): Promise<boolean> {
  const denying = reasons.flatMap(({ rule, policyId }) => (rule === "deny" ? [policyId] : []));
  if (denying.length === 0) return false;
  const before = new Date(now.getTime() - everyDays * 24 * 60 * 60_000);
  const noted = await tx.$executeRaw`
    UPDATE "Policy" SET "resumeAskedAt" = ${now}, "resumeReason" = ${purpose.description ?? null}
    WHERE id = ANY (${denying}::text[]) AND "agentPattern" = ${agentDid} AND ${deniesAll}
      AND ("resumeAskedAt" IS NULL OR "resumeAskedAt" <= ${before})`;
  return noted > 0;
}
