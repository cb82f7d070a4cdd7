import { z } from "zod";
import { single } from "@/lib/protocol/requests";
import { Timestamp } from "@/lib/protocol/resources";
import { changeRole, resumeUser, suspendUser } from "@/lib/services/admin/users/change-user";
import { deleteUser } from "@/lib/services/admin/users/delete-user";
import { type IssuedLink, inviteUser, issueResetLink } from "@/lib/services/admin/users/links";
import { findUser, listUsers } from "@/lib/services/admin/users/list-users";
import { formatCursor, parseCursor } from "../../session/address/cursor";
import { endpoint, NextMeta } from "../endpoint";
import { bodyLike, Done, Email, Link, Role, SearchQuery, SometimesAt } from "../shapes";

const User = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: Role,
  state: z.enum(["active", "suspended"]),
  createdAt: Timestamp,
  lastSeenAt: SometimesAt,
  profiles: z.int().describe("How many profiles are theirs."),
});

export const userEndpoints = {
  listUsers: endpoint(
    "GET /api/admin/users",
    {
      summary: "List users, newest first.",
      query: SearchQuery.extend({
        role: single().pipe(Role).optional(),
        state: single()
          .pipe(z.enum(["active", "suspended"]))
          .optional(),
      }),
      data: z.array(User),
      meta: NextMeta,
    },
    async ({ ctx, query: { cursor, ...query } }) => {
      const place = parseCursor(cursor);
      const after = place && { createdAt: place.at, id: place.id };
      const { users, next } = await listUsers(ctx, { ...query, after });
      const end = next && { at: next.createdAt, id: next.id };
      return { data: users, meta: { count: users.length, next: formatCursor(end) } };
    },
  ),
  inviteUser: endpoint(
    "POST /api/admin/invitations",
    {
      summary: "Invite somebody: a link that makes an account with this address and role.",
      body: bodyLike(z.strictObject({ email: Email, role: Role.default("user") }), {
        email: "carol@example.com",
        role: "user",
      }),
      data: Link,
      status: 201,
    },
    async ({ ctx, origin, body }) => ({
      data: linkAt(origin, await inviteUser(ctx, body)),
    }),
  ),
  getUser: endpoint(
    "GET /api/admin/users/{userId}",
    {
      summary: "Look at one user.",
      data: User,
    },
    async ({ ctx, params: { userId } }) => ({
      data: await findUser(ctx, userId),
    }),
  ),
  suspendUser: endpoint(
    "POST /api/admin/users/{userId}/suspend",
    {
      summary: "Suspend a user: every session ends at once.",
      data: Done,
    },
    async ({ ctx, params: { userId } }) => {
      await suspendUser(ctx, userId);
      return { data: { id: userId } };
    },
  ),
  resumeUser: endpoint(
    "POST /api/admin/users/{userId}/resume",
    {
      summary: "Let a suspended user in again.",
      data: Done,
    },
    async ({ ctx, params: { userId } }) => {
      await resumeUser(ctx, userId);
      return { data: { id: userId } };
    },
  ),
  changeRole: endpoint(
    "PUT /api/admin/users/{userId}/role",
    {
      summary: "Make somebody an admin, or a user; never the last admin.",
      body: bodyLike(z.strictObject({ role: Role }), { role: "admin" }),
      data: Done,
    },
    async ({ ctx, params: { userId }, body: { role } }) => {
      await changeRole(ctx, { userId, role });
      return { data: { id: userId } };
    },
  ),
  issueResetLink: endpoint(
    "POST /api/admin/users/{userId}/reset-link",
    {
      summary: "Make a link with which somebody chooses a new password.",
      data: Link,
      status: 201,
    },
    async ({ ctx, origin, params: { userId } }) => ({
      data: linkAt(origin, await issueResetLink(ctx, userId)),
    }),
  ),
  deleteUser: endpoint(
    "DELETE /api/admin/users/{userId}",
    {
      summary: "Erase an account with all its profiles, for good.",
      data: Done,
    },
    async ({ ctx, params: { userId } }) => {
      await deleteUser(ctx, userId);
      return { data: { id: userId } };
    },
  ),
};

/** The only time the whole link is shown. */
function linkAt(origin: string, { token, expiresAt }: IssuedLink) {
  return { url: `${origin}/link/${token}`, expiresAt: expiresAt.toISOString() };
}
