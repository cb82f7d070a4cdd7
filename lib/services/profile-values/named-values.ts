import type { PoolClient } from "pg";
import { invalidRequest } from "@/lib/protocol/errors";
import {
  faultOfValueName,
  type NamedValueKey,
  namedValuesMax,
  valueBytesMax,
} from "@/lib/rules/named-value";
import { refuseWithoutRoom } from "../categories";
import type { Ctx } from "../context";
import { changeProfile, type OpenChange } from "../open-profile";

type Named = NamedValueKey & { did: string };
type Work = (client: PoolClient, open: OpenChange) => Promise<void>;

export async function addNamedValue(ctx: Ctx, named: Named & { value: unknown }): Promise<void> {
  const value = storable(named);
  await change(ctx, { named, deed: "added" }, async (client, { profile }) => {
    await refuseWithoutRoom(client, { profileId: profile.id, category: named.category });
    const { rowCount } = await client.query(
      `INSERT INTO "NamedValue" ("profileId", category, name, value, "updatedAt")
       SELECT $1::int, $2, $3, $4::jsonb, $5
       WHERE (SELECT count(*) FROM "NamedValue" WHERE "profileId" = $1::int) < ${namedValuesMax}
       ON CONFLICT DO NOTHING`,
      [profile.id, named.category, named.name, value, ctx.now],
    );
    if (rowCount === 0) throw await whyNot(client, { named, profileId: profile.id });
  });
}

/** `seen`: the version that was shown. */
export async function changeNamedValue(
  ctx: Ctx,
  { seen, ...named }: Named & { value: unknown; seen: Date },
): Promise<void> {
  const value = storable(named);
  await change(ctx, { named, deed: "changed" }, async (client, { profile }) => {
    const { rowCount } = await client.query(
      `UPDATE "NamedValue" SET value = $5::jsonb,
         "updatedAt" = greatest($6::timestamptz, "updatedAt" + interval '1 millisecond')
       WHERE "profileId" = $1 AND category = $2 AND name = $3 AND "updatedAt" = $4`,
      [profile.id, named.category, named.name, seen, value, ctx.now],
    );
    if (rowCount === 0) throw changedMeanwhile();
  });
}

export async function removeNamedValue(
  ctx: Ctx,
  { seen, ...named }: Named & { seen: Date },
): Promise<void> {
  await change(ctx, { named, deed: "removed" }, async (client, { profile }) => {
    const { rowCount } = await client.query(
      `DELETE FROM "NamedValue"
       WHERE "profileId" = $1 AND category = $2 AND name = $3 AND "updatedAt" = $4`,
      [profile.id, named.category, named.name, seen],
    );
    if (rowCount === 0) throw changedMeanwhile();
  });
}

async function change(ctx: Ctx, { named, deed }: { named: Named; deed: string }, work: Work) {
  const { did, category, name } = named;
  const message = faultOfValueName(name);
  if (message !== null) throw invalidRequest([{ path: "name", message }]);
  // What a value was is kept nowhere: replacing one, or removing it, cannot be undone.
  const lasting = deed !== "added";
  await changeProfile(ctx, { verb: "editProfile", did, lasting }, async (open) => {
    const { client } = open;
    await work(client, open);
    await open.record({ detail: { namedValue: deed, category, name } });
  });
}

function storable({ value }: { value: unknown }): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) <= valueBytesMax) return text;
  throw invalidRequest([{ path: "value", message: "A value must not be larger than 16 KiB." }]);
}

async function whyNot(
  client: PoolClient,
  { named: { category, name }, profileId }: { named: Named; profileId: number },
) {
  const { rowCount } = await client.query(
    `SELECT FROM "NamedValue" WHERE "profileId" = $1 AND category = $2 AND name = $3`,
    [profileId, category, name],
  );
  const message =
    rowCount === 0
      ? `A profile holds at most ${namedValuesMax} named values. Remove one first.`
      : "There is a value of this name in this category already. Change that one.";
  return invalidRequest([{ path: "name", message }]);
}

function changedMeanwhile() {
  const message =
    "It was changed or removed elsewhere since you opened this. Load the page again to see how it is now.";
  return invalidRequest([{ path: "form", message }]);
}
