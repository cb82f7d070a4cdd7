import type { Pool } from "pg";
import {
  type ArchiveList,
  archiveLists,
  archiveVersion,
} from "@/lib/protocol/archive/profile-archive";
import type { Ctx } from "../context";
import type { ProfileRow } from "../facts";
import { onProfile } from "../open-profile";
import { revisionStatement, statements } from "./statements";

/**
 * A profile as one JSON text (ProfileArchive), piece by piece: a page of a list is in memory at a time.
 * It is no snapshot: what changes while it is read may be in it or not.
 */
export async function exportProfile(
  ctx: Ctx,
  { did }: { did: string },
): Promise<AsyncGenerator<string>> {
  return onProfile(ctx, { verb: "exportProfile", did }, async (open) => {
    const { rows } = await ctx.pool.query<{ createdAt: Date }>(
      `SELECT "createdAt" FROM "Profile" WHERE id = $1`,
      [open.profile.id],
    );
    // Before the first piece: whoever breaks off the reading has had a part of it.
    await open.record(ctx.pool, {});
    return pieces(ctx, { profile: open.profile, createdAt: rows[0]?.createdAt ?? ctx.now });
  });
}

async function* pieces(
  { pool, now }: Ctx,
  { profile, createdAt }: { profile: ProfileRow; createdAt: Date },
): AsyncGenerator<string> {
  const { did, profileType, version, common } = profile;
  const head = {
    format: "profile-archive",
    version: archiveVersion,
    exportedAt: now,
    profile: { did, profileType, version, common, createdAt },
  };
  yield JSON.stringify(head).slice(0, -1);
  for (const list of archiveLists) {
    yield `,\n"${list}":[`;
    let between = "\n";
    for await (const page of pagesOf(pool, { list, profile })) {
      if (list === "memories") yield* memoriesOf(pool, { page, between });
      else yield `${between}${page.map(({ item }) => JSON.stringify(item)).join(",\n")}`;
      between = ",\n";
    }
    yield "]";
  }
  yield "\n}\n";
}

interface Row {
  place: string[];
  item: unknown;
  /** Of a memory that was changed. */
  revisionsAfter?: string | null;
}

const revisionsAtOnce = 50;

// A memory may have a long history: that is read a page at a time too.
async function* memoriesOf(
  pool: Pool,
  { page, between }: { page: Row[]; between: string },
): AsyncGenerator<string> {
  let before = between;
  for (const { place, item, revisionsAfter } of page) {
    yield `${before}${JSON.stringify(item).slice(0, -1)},"revisions":[`;
    if (revisionsAfter) yield* revisionsOf(pool, { memoryId: place[1], after: revisionsAfter });
    yield "]}";
    before = ",\n";
  }
}

async function* revisionsOf(
  pool: Pool,
  { memoryId, after }: { memoryId: string | undefined; after: string },
): AsyncGenerator<string> {
  let place = after;
  let between = "";
  for (;;) {
    const { rows } = await pool.query<{ place: string; item: unknown }>(revisionStatement, [
      memoryId,
      place,
      revisionsAtOnce,
    ]);
    if (rows.length > 0) yield between + rows.map(({ item }) => JSON.stringify(item)).join(",");
    if (rows.length < revisionsAtOnce) return;
    place = rows.at(-1)?.place ?? place;
    between = ",";
  }
}

async function* pagesOf(
  pool: Pool,
  { list, profile }: { list: ArchiveList; profile: ProfileRow },
): AsyncGenerator<Row[]> {
  const { text, byDid = false, rowsMax } = statements[list];
  const isDated = list !== "namedValues" && list !== "memories";
  let place = [isDated ? "-infinity" : "", ""];
  for (;;) {
    const { rows } = await pool.query<Row>(text, [
      byDid ? profile.did : profile.id,
      ...place,
      rowsMax,
    ]);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsMax) return;
    place = rows.at(-1)?.place ?? place;
  }
}
