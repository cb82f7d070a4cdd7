import type { Tx } from "@/lib/engine/db";
import { deniesAll } from "../denial/deny-all";

/** How an owner shuts an agent out, whatever other rules say. */
export interface ShutOut {
  /** The rule that denies it everything, for good. */
  blockedBy: string | null;
  quarantinedAt: Date | null;
  /** When it last asked to be let in again, and why. */
  resume: { askedAt: Date; reason: string | null } | null;
}

interface Row {
  id: string;
  isQuarantine: boolean;
  createdAt: Date;
  resumeAskedAt: Date | null;
  resumeReason: string | null;
}

export async function findShutOut(
  db: Pick<Tx, "$queryRaw">,
  { profileId, agentDid }: { profileId: number; agentDid: string },
): Promise<ShutOut> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT id, origin = 'quarantine' AS "isQuarantine", "createdAt", "resumeAskedAt", "resumeReason" FROM "Policy"
    WHERE "profileId" = ${profileId} AND "agentPattern" = ${agentDid} AND ${deniesAll}
    ORDER BY "resumeAskedAt" DESC NULLS LAST, "createdAt", id`;
  const [first] = rows;
  return {
    blockedBy: rows.find(({ isQuarantine }) => !isQuarantine)?.id ?? null,
    quarantinedAt: rows.find(({ isQuarantine }) => isQuarantine)?.createdAt ?? null,
    resume:
      first?.resumeAskedAt == null
        ? null
        : { askedAt: first.resumeAskedAt, reason: first.resumeReason },
  };
}
