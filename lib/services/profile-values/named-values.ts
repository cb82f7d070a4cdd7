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
import { changeProfile } from "../profile-gate";
import { deedOf, isSameValue, versionOfValues } from "./version";

export interface NamedValue extends NamedValueKey {
  value: unknown;
}

export async function addNamedValue(
  ctx: Ctx,
  { did, ...named }: NamedValue & { did: string },
): Promise<void> {
  const { category, name } = named;
  const message = faultOfValueName(name);
  if (message !== null) throw invalidRequest([{ path: "name", message }]);
  const value = storable(named, "value");
  await changeProfile(ctx, { verb: "editProfile", did }, async (open) => {
    const { tx, profile } = open;
    await refuseWithoutRoom(tx, { profileId: profile.id, category });
    const rowCount =
      await tx.$executeRaw`INSERT INTO "NamedValue" ("profileId", category, name, value, "updatedAt")
       SELECT ${profile.id}::int, ${category}::text, ${name}::text, ${value}::jsonb, ${ctx.now}::timestamptz
       WHERE (SELECT count(*) FROM "NamedValue" WHERE "profileId" = ${profile.id}::int) < ${namedValuesMax}
       ON CONFLICT DO NOTHING`;
    if (rowCount === 0) throw await whyNot(tx, { named, profileId: profile.id });
    await open.record({ detail: { action: "added", category, name } });
  });
}

interface Saving {
  did: string;
  /** The version of all that is changed, as it was shown: see versionOfValues. */
  seen: string;
  /** A value that is undefined is removed. */
  changes: readonly NamedValue[];
}

/** Changes and removes named values and returns how many became others. Refuses a version that is gone. */
export async function saveNamedValues(ctx: Ctx, { did, seen, changes }: Saving): Promise<number> {
  // Former values are not kept, so replacing or removing one cannot be undone.
  return changeProfile(ctx, { verb: "editProfile", did, lasting: true }, async (open) => {
    const { tx, profile } = open;
    const stored = await tx.namedValue.findMany({
      where: {
        profileId: profile.id,
        OR: changes.map(({ category, name }) => ({ category, name })),
      },
    });
    const before = changes.map(
      ({ category, name }) =>
        stored.find((one) => one.category === category && one.name === name)?.value,
    );
    if (before.includes(undefined) || versionOfValues(before) !== seen) throw changedElsewhere();
    const changed = changes.filter(({ value }, at) => !isSameValue(before[at], value));
    for (const named of changed) {
      await write(tx, { ctx, profileId: profile.id, named });
      const { category, name, value } = named;
      await open.record({ detail: { action: deedOf(null, value), category, name } });
    }
    return changed.length;
  });
}

async function write(
  tx: Tx,
  { ctx, profileId, named }: { ctx: Ctx; profileId: number; named: NamedValue },
): Promise<void> {
  const { category, name } = named;
  if (named.value === undefined) {
    await tx.namedValue.deleteMany({ where: { profileId, category, name } });
    return;
  }
  const value = storable(named, "form");
  await tx.$executeRaw`UPDATE "NamedValue" SET value = ${value}::jsonb, "updatedAt" = ${ctx.now}
     WHERE "profileId" = ${profileId} AND category = ${category} AND name = ${name}`;
}

function storable({ name, value }: NamedValue, path: string): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) <= valueBytesMax) return text;
  const message = `“${name}” is too long: a value has at most 16 KiB.`;
  throw invalidRequest([{ path, message }]);
}

async function whyNot(
  tx: Tx,
  { named: { category, name }, profileId }: { named: NamedValueKey; profileId: number },
) {
  const found = await tx.namedValue.count({ where: { profileId, category, name } });
  const message =
    found === 0
      ? `A profile holds at most ${namedValuesMax} named values. Remove one first.`
      : "There is a value of this name in this category already. Change that one.";
  return invalidRequest([{ path: "name", message }]);
}

function changedElsewhere() {
  const message =
    "One of these was changed or removed elsewhere since you opened this. Load the page again to see how it is now; copy what you typed first.";
  return invalidRequest([{ path: "form", message }]);
}
