import { chunkSql, readChunk } from "@/lib/engine/load/chunks";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Ctx } from "../context";
import { tombstoneOf } from "../erasure/delete-profile";
import { refuseOthers } from "./administer";

export interface AdminEventLine {
  id: string;
  at: Date;
  /** Null if the admin's account is gone, or for the shell. */
  admin: { id: string; email: string | null };
  verb: string;
  subjectId: string | null;
  /** The present name: a user's address, a profile's DID, an agent's name. */
  subjectName: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string;
}

export interface AdminEventPlace {
  at: Date;
  id: string;
}

export interface AdminEventsQuery {
  adminId?: string;
  verb?: string;
  /** An id, an address, or a profile's DID, also of a deleted one. */
  subject?: string;
  from?: Date;
  to?: Date;
  after?: AdminEventPlace;
  limit: number;
}

/** Lists the admins' actions, newest first. */
export async function listAdminEvents(
  ctx: Ctx,
  { adminId, verb, subject, from, to, after, limit }: AdminEventsQuery,
): Promise<{ events: AdminEventLine[]; next: AdminEventPlace | null }> {
  refuseOthers(ctx);
  const subjects = subject === undefined ? null : await subjectsCalled(ctx, subject);
  const filter = { adminId, verb, subjects, from, to, after, limit: limit + 1 };
  const { rows, isCut } = await readChunk<AdminEventLine>(ctx.pool, eventsSql(filter));
  const events = rows.slice(0, limit);
  const last = isCut || rows.length > limit ? events.at(-1) : undefined;
  return { events, next: last === undefined ? null : { at: last.at, id: last.id } };
}

type EventsFilter = Omit<AdminEventsQuery, "subject"> & { subjects: string[] | null };

function eventsSql({ adminId, verb, subjects, from, to, after, limit }: EventsFilter): Prisma.Sql {
  const conditions = [
    ...(adminId ? [Prisma.sql`e."adminId" = ${adminId}`] : []),
    ...(verb ? [Prisma.sql`e.verb = ${verb}`] : []),
    ...(subjects ? [Prisma.sql`e."subjectId" = ANY (${subjects}::text[])`] : []),
    ...(from ? [Prisma.sql`e.at >= ${from}`] : []),
    ...(to ? [Prisma.sql`e.at < ${to}`] : []),
    ...(after ? [Prisma.sql`(e.at, e.id) < (${after.at}, ${after.id})`] : []),
  ];
  const where = conditions.length > 0 ? Prisma.join(conditions, " AND ") : Prisma.sql`true`;
  return chunkSql({
    rows: Prisma.sql`SELECT e.id, e.at, e.verb, e."subjectId", e.before, e.after, e."requestId",
        jsonb_build_object('id', e."adminId", 'email', u.email) AS admin,
        coalesce(s.email, l.email, p.did, a.name) AS "subjectName"
      FROM "AdminEvent" e LEFT JOIN "User" u ON u.id = e."adminId"
      LEFT JOIN "User" s ON s.id = e."subjectId" LEFT JOIN "OneTimeLink" l ON l."userId" = e."subjectId"
      LEFT JOIN "Profile" p ON p.id = substring(e."subjectId" FROM '^profile:(\\d{1,9})$')::int
      LEFT JOIN "Agent" a ON a.did = e."subjectId"
      WHERE ${where}
      ORDER BY e.at DESC, e.id DESC LIMIT ${limit}`,
    order: Prisma.sql`at DESC, id DESC`,
  });
}

async function subjectsCalled({ db }: Ctx, subject: string): Promise<string[]> {
  const rows = await db.$queryRaw<
    { id: string }[]
  >`SELECT id FROM "User" WHERE email = lower(${subject})
     UNION ALL SELECT "userId" FROM "OneTimeLink" WHERE email = lower(${subject}) AND "userId" IS NOT NULL
     UNION ALL SELECT 'profile:' || id FROM "Profile" WHERE did = ${subject}`;
  return [subject, tombstoneOf(subject), ...rows.map(({ id }) => id)];
}

export interface ActingAdmin {
  id: string;
  email: string;
}

/** Lists everybody who may have acted, for a filter. */
export async function listAdmins(ctx: Ctx): Promise<ActingAdmin[]> {
  refuseOthers(ctx);
  return ctx.db.user.findMany({
    where: { role: "admin" },
    select: { id: true, email: true },
    orderBy: { email: "asc" },
    take: 100,
  });
}
