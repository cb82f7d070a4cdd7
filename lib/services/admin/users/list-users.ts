import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Role, UserState } from "@/lib/engine/prisma-client/enums";
import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../../context";
import { refuseOthers } from "../administer";

/** What admins see of a user: counts and states, nothing of a profile's contents. */
export interface UserLine {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  state: UserState;
  createdAt: Date;
  lastSeenAt: Date | null;
  profiles: number;
}

export interface UserPlace {
  createdAt: Date;
  id: string;
}

export interface UsersQuery {
  /** A part of an e-mail address or a name. */
  search?: string;
  role?: Role;
  state?: UserState;
  after?: UserPlace;
  limit: number;
}

export interface UsersPage {
  users: UserLine[];
  next: UserPlace | null;
}

const columns = Prisma.sql`u.id, u.email, u.name, u.role, u.state, u."createdAt",
  greatest(u."lastSeenAt", (SELECT max(s."lastSeenAt") FROM "Session" s WHERE s."userId" = u.id)) AS "lastSeenAt",
  (SELECT count(*)::int FROM "Profile" p WHERE p."ownerId" = u.id) AS profiles`;

/** Newest first. */
export async function listUsers(ctx: Ctx, input: UsersQuery): Promise<UsersPage> {
  refuseOthers(ctx);
  const { search, role, state, after, limit } = input;
  const rows = await ctx.db.$queryRaw<UserLine[]>`SELECT ${columns} FROM "User" u
     WHERE (${likePattern(search)}::text IS NULL OR u.email ILIKE ${likePattern(search)} OR u.name ILIKE ${likePattern(search)})
       AND (${role ?? null}::"Role" IS NULL OR u.role = ${role ?? null}) AND (${state ?? null}::"UserState" IS NULL OR u.state = ${state ?? null})
       AND (${after?.createdAt ?? null}::timestamptz IS NULL OR (u."createdAt", u.id) < (${after?.createdAt ?? null}, ${after?.id ?? null}))
     ORDER BY u."createdAt" DESC, u.id DESC LIMIT ${limit + 1}`;
  const users = rows.slice(0, limit);
  const last = rows.length > limit ? users.at(-1) : undefined;
  return { users, next: last === undefined ? null : { createdAt: last.createdAt, id: last.id } };
}

export async function findUser(ctx: Ctx, userId: string): Promise<UserLine> {
  refuseOthers(ctx);
  const rows = await ctx.db.$queryRaw<
    UserLine[]
  >`SELECT ${columns} FROM "User" u WHERE u.id = ${userId}`;
  const [user] = rows;
  if (user === undefined) throw notFound("user");
  return user;
}

export async function findUserByEmail(ctx: Ctx, email: string): Promise<UserLine | null> {
  refuseOthers(ctx);
  const rows = await ctx.db.$queryRaw<
    UserLine[]
  >`SELECT ${columns} FROM "User" u WHERE u.email = ${email}`;
  return rows[0] ?? null;
}

/** A part of a text, whatever signs it has. */
export function likePattern(search: string | undefined): string | null {
  if (search === undefined || search === "") return null;
  return `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
