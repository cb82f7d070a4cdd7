import type { Prisma } from "@/lib/engine/prisma-client/client";
import type { Policy } from "@/lib/rules/facts";
import type { Ctx } from "../context";
import { policyRowsMax } from "../policies/bounds";
import { type NamedAgent, namedAgent } from "./named-agent";

/** A policy as its sentence says it. */
export interface PolicyLine extends Omit<Policy, "enabled" | "receiptSeconds"> {
  /** Null where it is about more than one. */
  agent: NamedAgent | null;
}

/** Loads the policies of a profile that meet a condition on `"Policy" p`, oldest first. */
export function loadPolicyLines(
  { db }: Ctx,
  { profileId, where }: { profileId: number; where: Prisma.Sql },
): Promise<PolicyLine[]> {
  return db.$queryRaw<PolicyLine[]>`
    SELECT p.id, p."agentPattern", p."verifiedOnly", p.allow, p.deny, p.permissions::text[], p.purposes,
      p."maxRetention", p."expiresAt", p.origin,
      CASE WHEN position('*' IN p."agentPattern") = 0 THEN ${namedAgent("p")} END AS agent
    FROM (SELECT *, "agentPattern" AS "agentDid" FROM "Policy" WHERE "profileId" = ${profileId}) p
    LEFT JOIN "Agent" a ON a.did = p."agentDid"
    WHERE ${where} ORDER BY p."createdAt", p.id LIMIT ${policyRowsMax}`;
}
