import { type Chunk, pieces, readChunk } from "@/lib/engine/load/chunks";
import type { Prisma } from "@/lib/engine/prisma-client/client";
import {
  type ArchiveList,
  archiveLists,
  archiveVersion,
} from "@/lib/protocol/archive/profile-archive";
import { notFound } from "@/lib/protocol/errors";
import { demandConfirmed } from "../authority";
import type { Ctx } from "../context";
import type { ProfileRow } from "../facts";
import { withProfile } from "../profile-gate";
import { type PageQuery, revisionsSql, statements } from "./statements";
import { demandOwner } from "./still-reads";

/**
 * A profile as one JSON text (ProfileArchive), piece by piece: a part of a list is in memory at a time.
 * It is no snapshot: rows that are made after it began are left out, and a row that is changed after that may be in
 * it as it is when its page is read. Each page is read only for who may still export.
 */
export async function exportProfile(
  ctx: Ctx,
  { did }: { did: string },
): Promise<AsyncGenerator<string>> {
  return withProfile(ctx, { verb: "exportProfile", did }, async (open) => {
    await demandConfirmed(ctx.db, ctx);
    const began = await beginning(ctx, open.profile.id);
    // Before the first piece: a reader who breaks off has had a part of it.
    await open.record({});
    return textsOf(readingOf(ctx, { profile: open.profile, ...began }));
  });
}

interface Beginning {
  createdAt: Date;
  /** When the export began, by the clock that was ahead: this one or the database's, which both date rows. */
  began: string;
  /** The last revision of any memory before that. */
  lastRevision: string;
}

async function beginning({ db, now }: Ctx, profileId: number): Promise<Beginning> {
  const rows = await db.$queryRaw<
    Beginning[]
  >`SELECT p."createdAt", CASE WHEN s.is_called THEN s.last_value ELSE 0 END::text AS "lastRevision",
       greatest(${now}::timestamptz, clock_timestamp())::text AS began
     FROM "Profile" p, "MemoryRevision_id_seq" s WHERE p.id = ${profileId}`;
  const [row] = rows;
  if (row === undefined) throw notFound("profile");
  return row;
}

interface Reading extends Beginning {
  profile: ProfileRow;
  exportedAt: Date;
  read: (sql: Prisma.Sql) => Promise<Chunk<Row>>;
}

function readingOf(ctx: Ctx, of: Beginning & { profile: ProfileRow }): Reading {
  const read: Reading["read"] = async (sql) => {
    const { id, ownerId } = of.profile;
    const piece = await ctx.shares.heavy(ownerId, () => readChunk<Row>(ctx.pool, sql));
    await demandOwner(ctx, id);
    return piece;
  };
  return { ...of, exportedAt: ctx.now, read };
}

async function* textsOf(reading: Reading): AsyncGenerator<string> {
  const { createdAt, exportedAt } = reading;
  const { did, profileType, version, common } = reading.profile;
  const head = {
    format: "profile-archive",
    version: archiveVersion,
    exportedAt,
    profile: { did, profileType, version, common, createdAt },
  };
  yield JSON.stringify(head).slice(0, -1);
  for (const list of archiveLists) {
    yield `,\n"${list}":[`;
    let between = "\n";
    for await (const page of pagesOf(reading, list)) {
      if (list === "memories") yield* memoriesOf(reading, { page, between });
      else yield `${between}${page.map(({ item }) => JSON.stringify(item)).join(",\n")}`;
      between = ",\n";
    }
    yield "]";
  }
  yield "\n}\n";
}

interface Row {
  place: [string, string];
  item: unknown;
  /** The revision of a changed memory after which to start. */
  revisionsAfter?: string | null;
}

const revisionsAtOnce = 50;

// A memory may have a long history: that is read a page at a time too.
async function* memoriesOf(
  reading: Reading,
  { page, between }: { page: Row[]; between: string },
): AsyncGenerator<string> {
  let before = between;
  for (const { place, item, revisionsAfter } of page) {
    yield `${before}${JSON.stringify(item).slice(0, -1)},"revisions":[`;
    if (revisionsAfter) yield* revisionsOf(reading, { memoryId: place[1], after: revisionsAfter });
    yield "]}";
    before = ",\n";
  }
}

async function* revisionsOf(
  { read, lastRevision }: Reading,
  { memoryId, after }: { memoryId: string; after: string },
): AsyncGenerator<string> {
  const batches = pieces<Row>(revisionsAtOnce, (limit, last) =>
    read(revisionsSql({ memoryId, after: last?.place[1] ?? after, limit, last: lastRevision })),
  );
  let between = "";
  for await (const rows of batches) {
    yield between + rows.map(({ item }) => JSON.stringify(item)).join(",");
    between = ",";
  }
}

function pagesOf({ read, profile, began }: Reading, list: ArchiveList): AsyncGenerator<Row[]> {
  const { sql, rowsMax } = statements[list];
  const isDated = list !== "namedValues" && list !== "memories";
  const first: PageQuery["after"] = [isDated ? "-infinity" : "", ""];
  return pieces<Row>(rowsMax, (limit, last) =>
    read(sql({ profile, after: last?.place ?? first, limit, began })),
  );
}
