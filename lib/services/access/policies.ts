import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { notFound } from "@/lib/protocol/errors";
import type { PolicyOrigin } from "@/lib/rules/facts";
import { type PolicyDraft, type TemplateName, templates } from "@/lib/rules/templates";
import type { Ctx } from "../context";
import { lockProfile, onProfile } from "../open-profile";

type Draft = PolicyDraft & { consentRequestId?: string };

/** A rule that the owner writes. */
export async function addPolicy(
  ctx: Ctx,
  { did, policy }: { did: string; policy: PolicyDraft },
): Promise<string> {
  return onProfile(ctx, { verb: "editPolicies", did }, (open) =>
    inTransaction(ctx.pool, async (client) => {
      const { profile } = open;
      const subjectId = await insertPolicy(client, { profileId: profile.id, policy, now: ctx.now });
      await open.record(client, { subjectId, detail: { added: policy } });
      return subjectId;
    }),
  );
}

export async function removePolicy(
  ctx: Ctx,
  { did, policyId }: { did: string; policyId: string },
): Promise<void> {
  await onProfile(ctx, { verb: "editPolicies", did }, (open) =>
    inTransaction(ctx.pool, async (client) => {
      const { rowCount } = await client.query(
        `DELETE FROM "Policy" WHERE id = $1 AND "profileId" = $2`,
        [policyId, open.profile.id],
      );
      if (rowCount === 0) throw notFound("policy");
      await open.record(client, { subjectId: policyId, detail: { removed: true } });
    }),
  );
}

/** Decisions 5: the rules of a template in place of those of another; what the owner wrote stays. */
export async function applyTemplate(
  ctx: Ctx,
  { did, template }: { did: string; template: TemplateName },
): Promise<void> {
  await onProfile(ctx, { verb: "editPolicies", did }, (open) =>
    inTransaction(ctx.pool, async (client) => {
      const profileId = open.profile.id;
      await lockProfile(client, profileId);
      await client.query(`DELETE FROM "Policy" WHERE "profileId" = $1 AND origin = 'template'`, [
        profileId,
      ]);
      for (const policy of templates[template].policies) {
        await insertPolicy(client, { profileId, policy, now: ctx.now });
      }
      await open.record(client, { detail: { template } });
    }),
  );
}

/** For verbs that grant: part of their transaction and their event. */
export async function insertPolicy(
  client: PoolClient,
  { profileId, policy, now }: { profileId: number; policy: Draft; now: Date },
): Promise<string> {
  const id = newId("pol");
  await client.query(
    `INSERT INTO "Policy" (id, "profileId", "agentPattern", "verifiedOnly", allow, deny, permissions,
       purposes, "maxRetention", "receiptSeconds", "expiresAt", origin, "consentRequestId",
       "createdAt", "updatedAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
    [
      id,
      profileId,
      policy.agentPattern,
      policy.verifiedOnly,
      policy.allow,
      policy.deny,
      policy.permissions,
      policy.purposes,
      policy.maxRetention,
      policy.receiptSeconds,
      policy.expiresAt,
      policy.origin satisfies PolicyOrigin,
      policy.consentRequestId,
      now,
    ],
  );
  return id;
}
