import { notNow } from "@/lib/protocol/errors";
import { type TemplateName, templates } from "@/lib/rules/templates";
import type { Ctx } from "../context";
import { changeProfile } from "../profile-gate";
import { insertPolicy } from "./policies";
import { giveBack, type Removed, take, undoableSince } from "./remove";

interface Applied {
  template: TemplateName;
  added: string[];
  removed: Removed[];
}

/** Protocol 5: replaces the rules of a template by those of another; the owner's own stay. */
export async function applyTemplate(
  ctx: Ctx,
  { did, template }: { did: string; template: TemplateName },
): Promise<void> {
  await changeProfile(ctx, { verb: "editPolicies", did, lasting: true }, async (open) => {
    const { tx } = open;
    const profileId = open.profile.id;
    const removed = await take(tx, { profileId, which: "origin", value: "template" });
    const added: string[] = [];
    for (const policy of templates[template].policies) {
      added.push(await insertPolicy(tx, { profileId, policy, now: ctx.now }));
    }
    const applied: Applied = { template, added, removed };
    await open.record({ detail: { ...applied } });
  });
}

/** Takes the latest change of template back: the request that made it names it. */
export async function restoreTemplate(
  ctx: Ctx,
  { did, requestId }: { did: string; requestId: string },
): Promise<void> {
  await changeProfile(ctx, { verb: "editPolicies", did, lasting: true }, async (open) => {
    const { tx } = open;
    const profileId = open.profile.id;
    const rows = await tx.$queryRaw<
      { applied: Applied; at: Date }[]
    >`SELECT detail AS applied, at FROM "AccessEvent"
         WHERE "profileId" = ${profileId} AND verb = 'editPolicies' AND "requestId" = ${requestId} AND outcome = 'ok'
           AND detail ? 'template' AND at > ${undoableSince(ctx.now)}
         ORDER BY at DESC LIMIT 1`;
    const [last] = rows;
    if (last === undefined) throw notNow("That was more than ten minutes ago.");
    const { added, removed, template } = last.applied;
    const now = await take(tx, { profileId, which: "origin", value: "template" });
    if (!isSame(now, added)) throw notNow("The rules of your template were changed since.");
    for (const one of removed) {
      await giveBack(tx, { profileId, now: ctx.now, removed: one, since: last.at });
    }
    await open.record({ detail: { takenBack: template } });
  });
}

function isSame(now: Removed[], added: string[]): boolean {
  return now.length === added.length && now.every(({ policy }) => added.includes(policy.id));
}
