import type { Category } from "@/lib/protocol/scope";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

export interface OwnNamedValue {
  category: Category;
  name: string;
  value: unknown;
  updatedAt: Date;
}

export interface OwnValues {
  common: Record<string, unknown>;
  namedValues: OwnNamedValue[];
}

/** Returns what the owner's forms show. */
export async function readOwnValues(ctx: Ctx, { did }: { did: string }): Promise<OwnValues> {
  return withProfile(ctx, { verb: "editProfile", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<
      OwnNamedValue[]
    >`SELECT category, name, value, "updatedAt" FROM "NamedValue" WHERE "profileId" = ${profile.id}
       ORDER BY category, name`;
    return { common: profile.common, namedValues: rows };
  });
}
