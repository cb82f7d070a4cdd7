import { z } from "zod";
import { Empty, single } from "@/lib/protocol/requests";
import { Timestamp } from "@/lib/protocol/resources";
import { NextMeta, type SessionEndpoint } from "../endpoint";
import { SometimesAt } from "../shapes";
import { bodyLike, Changed, Email, Link, Role, SearchQuery, UserParams } from "./shapes";

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

const ofOne = { params: UserParams, query: Empty, meta: Empty, status: 200 } as const;

export const userEndpoints = {
  listUsers: {
    name: "listUsers",
    summary: "List users, newest first.",
    method: "GET",
    path: "/api/admin/users",
    params: Empty,
    query: SearchQuery.extend({
      role: single().pipe(Role).optional(),
      state: single()
        .pipe(z.enum(["active", "suspended"]))
        .optional(),
    }),
    body: null,
    data: z.array(User),
    meta: NextMeta,
    status: 200,
  },
  inviteUser: {
    name: "inviteUser",
    summary: "Invite somebody: a link that makes an account with this address and role.",
    method: "POST",
    path: "/api/admin/invitations",
    params: Empty,
    query: Empty,
    body: bodyLike(z.strictObject({ email: Email, role: Role.default("user") }), {
      email: "carol@example.com",
      role: "user",
    }),
    data: Link,
    meta: Empty,
    status: 201,
  },
  getUser: {
    ...ofOne,
    name: "getUser",
    summary: "Look at one user.",
    method: "GET",
    path: "/api/admin/users/{userId}",
    body: null,
    data: User,
  },
  suspendUser: {
    ...ofOne,
    name: "suspendUser",
    summary: "Suspend a user: every session ends at once.",
    method: "POST",
    path: "/api/admin/users/{userId}/suspend",
    body: null,
    data: Changed,
  },
  resumeUser: {
    ...ofOne,
    name: "resumeUser",
    summary: "Let a suspended user in again.",
    method: "POST",
    path: "/api/admin/users/{userId}/resume",
    body: null,
    data: Changed,
  },
  changeRole: {
    ...ofOne,
    name: "changeRole",
    summary: "Make somebody an admin, or a user; never the last admin.",
    method: "PUT",
    path: "/api/admin/users/{userId}/role",
    body: bodyLike(z.strictObject({ role: Role }), { role: "admin" }),
    data: Changed,
  },
  issueResetLink: {
    ...ofOne,
    name: "issueResetLink",
    summary: "Make a link with which somebody chooses a new password.",
    method: "POST",
    path: "/api/admin/users/{userId}/reset-link",
    body: null,
    data: Link,
    status: 201,
  },
  deleteUser: {
    ...ofOne,
    name: "deleteUser",
    summary: "Erase an account with all its profiles, for good.",
    method: "DELETE",
    path: "/api/admin/users/{userId}",
    body: null,
    data: Changed,
  },
} as const satisfies Record<string, SessionEndpoint>;
