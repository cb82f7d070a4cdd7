import type { Tx } from "@/lib/engine/db";
import { invalidRequest } from "@/lib/protocol/errors";
import {
  faultOfValueName,
  type NamedValueKey,
  namedValuesMax,
  valueBytesMax,
} from "@/lib/rules/named-value";
import { refuseWithoutRoom } from "../categories";
import type { Ctx } from "../context";
import { changeProfile, type OpenChange } from "../profile-gate";

type Named = NamedValueKey & { did: string };
type Work = (tx: Tx, open: OpenChange) => Promise<void>;

export async function addNamedValue(ctx: Ctx, named: Named & { value: unknown }): Promise<void> {
  const value = storable(named);
  await change(ctx, { named, deed: "added" }, async (tx, { profile }) => {
    await refuseWithoutRoom(tx, { profileId: profile.id, category: named.category });
    const rowCount =
      await tx.$executeRaw`INSERT INTO "NamedValue" ("profileId", category, name, value, "updatedAt")
       SELECT ${profile.id}::int, ${named.category}::text, ${named.name}::text, ${value}::jsonb, ${ctx.now}::timestamptz
       WHERE (SELECT count(*) FROM "NamedValue" WHERE "profileId" = ${profile.id}::int) < ${namedValuesMax}
       ON CONFLICT DO NOTHING`;
    if (rowCount === 0) throw await whyNot(tx, { named, profileId: profile.id });
  });
}

/** `seen`: the version that was shown. */
export async function changeNamedValue(
  ctx: Ctx,
  { seen, ...named }: Named & { value: unknown; seen: Date },
): Promise<void> {
  const value = storable(named);
  await change(ctx, { named, deed: "changed" }, async (tx, { profile }) => {
    const rowCount = await tx.$executeRaw`UPDATE "NamedValue" SET value = ${value}::jsonb,
         "updatedAt" = greatest(${ctx.now}::timestamptz, "updatedAt" + interval '1 millisecond')
       WHERE "profileId" = ${profile.id} AND category = ${named.category} AND name = ${named.name} AND "updatedAt" = ${seen}`;
    if (rowCount === 0) throw changedMeanwhile();
  });
}

export async function removeNamedValue(
  ctx: Ctx,
  { seen, ...named }: Named & { seen: Date },
): Promise<void> {
  await change(ctx, { named, deed: "removed" }, async (tx, { profile }) => {
    const { category, name } = named;
    const { count } = await tx.namedValue.deleteMany({
      where: { profileId: profile.id, category, name, updatedAt: seen },
    });
    if (count === 0) throw changedMeanwhile();
  });
}

async function change(ctx: Ctx, { named, deed }: { named: Named; deed: string }, work: Work) {
  const { did, category, name } = named;
  const message = faultOfValueName(name);
  if (message !== null) throw invalidRequest([{ path: "name", message }]);
  // Former values are not kept, so replacing or removing one cannot be undone.
  const lasting = deed !== "added";
  await changeProfile(ctx, { verb: "editProfile", did, lasting }, async (open) => {
    const { tx } = open;
    await work(tx, open);
    await open.record({ detail: { namedValue: deed, category, name } });
  });
}

function storable({ value }: { value: unknown }): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) <= valueBytesMax) return text;
  throw invalidRequest([{ path: "value", message: "A value must not be larger than 16 KiB." }]);
}

async function whyNot(
  tx: Tx,
  { named: { category, name }, profileId }: { named: Named; profileId: number },
) {
  const found = await tx.namedValue.count({ where: { profileId, category, name } });
  const message =
    found === 0
      ? `A profile holds at most ${namedValuesMax} named values. Remove one first.`
      : "There is a value of this name in this category already. Change that one.";
  return invalidRequest([{ path: "name", message }]);
}

function changedMeanwhile() {
  const message =
    "It was changed or removed elsewhere since you opened this. Load the page again to see how it is now.";
  return invalidRequest([{ path: "form", message }]);
}
