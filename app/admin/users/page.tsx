import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/app/_components/shell/page-header";
import { adminContext } from "@/lib/http/session/admin";
import { parseCursor } from "@/lib/http/session/cursor";
import { listUsers, type UserLine, type UsersPage } from "@/lib/services/admin/users/list-users";
import { Badge } from "../../_components/badge";
import { Empty } from "../../_components/empty";
import { Pages } from "../../_components/lists/pages";
import { Segments } from "../../_components/lists/segments";
import { Notice } from "../../_components/notice";
import { InertText } from "../../_components/shown/inert-text";
import { When } from "../../_components/shown/when";
import { counted } from "../../_components/words/list";
import { firstParam, placeText, withQuery } from "../query";
import { Search } from "../search";
import { Invite } from "./invite";

export const metadata: Metadata = { title: "Users" };

const perPage = 50;
const path = "/admin/users";
const kinds = ["admins", "suspended"] as const;

type Query = Record<"search" | "only" | "before" | "deleted", string | string[] | undefined>;

export default async function UsersPageOf({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx } = await adminContext();
  const query = await searchParams;
  const search = firstParam(query.search);
  const only = kinds.find((kind) => kind === firstParam(query.only));
  const before = parseCursor(firstParam(query.before));
  const { users, next } = await listUsers(ctx, {
    search,
    role: only === "admins" ? "admin" : undefined,
    state: only === "suspended" ? "suspended" : undefined,
    after: before && { createdAt: before.at, id: before.id },
    limit: perPage,
  });
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Users">
        Who has an account here. What their profiles hold is theirs alone.
      </PageHeader>
      {firstParam(query.deleted) !== undefined && (
        <Notice tone="info">The account is gone, with every profile of theirs.</Notice>
      )}
      <Invite />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Search action={path} label="E-mail address or name" search={search ?? ""} />
        <Segments
          label="Which users"
          choices={[undefined, ...kinds].map((kind) => ({
            href: withQuery(path, { search, only: kind }),
            text: kind === undefined ? "All" : kind === "admins" ? "Admins" : "Suspended",
            isCurrent: kind === only,
          }))}
        />
      </div>
      {users.length === 0 ? (
        <Empty title="Nobody matches">Look for another part of the address or the name.</Empty>
      ) : (
        <List users={users} now={ctx.now} />
      )}
      <Pages
        newest={before === undefined ? null : withQuery(path, { search, only })}
        older={olderThan(next, { search, only })}
      />
    </div>
  );
}

function olderThan(next: UsersPage["next"], query: Record<string, string | undefined>) {
  if (next === null) return null;
  return withQuery(path, { ...query, before: placeText(next.createdAt, next.id) });
}

function List({ users, now }: { users: UserLine[]; now: Date }) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-box border border-line bg-surface shadow-raised">
      {users.map((user) => (
        <li key={user.id} className="relative px-4 py-3 hover:bg-sunken sm:px-6">
          <h2 className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <Link
              href={`${path}/${user.id}`}
              prefetch={false}
              className="font-semibold wrap-anywhere after:absolute after:inset-0"
            >
              {user.email}
            </Link>
            {user.role === "admin" && <Badge>Admin</Badge>}
            {user.state === "suspended" && <span className="text-danger">Suspended</span>}
          </h2>
          <p className="text-muted">
            {user.name !== null && (
              <>
                <InertText text={user.name} /> ·{" "}
              </>
            )}
            {counted(user.profiles, "profile")} · since <When at={user.createdAt} now={now} /> ·{" "}
            {user.lastSeenAt === null ? (
              "never seen"
            ) : (
              <>
                seen <When at={user.lastSeenAt} now={now} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
