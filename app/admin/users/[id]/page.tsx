import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/app/_components/shell/page-header";
import { engine } from "@/lib/engine/engine";
import { adminContext, orNoPage } from "@/lib/http/session/admin";
import { listProfiles } from "@/lib/services/admin/profiles/list-profiles";
import { findUser, type UserLine } from "@/lib/services/admin/users/list-users";
import { Badge } from "../../../_components/badge";
import { Card } from "../../../_components/card";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { Delete, MakeProfile, ResetLink, StateSwitch, UserRole } from "./change";

export const metadata: Metadata = { title: "User" };

const profilesMax = 100;

export default async function UserPage({ params }: { params: Promise<{ id: string }> }) {
  const { ctx, who } = await adminContext();
  const user = await orNoPage(findUser(ctx, (await params).id));
  const { profiles } = await listProfiles(ctx, { ownerId: user.id, limit: profilesMax });
  return (
    <div className="flex flex-col gap-6">
      <PageHeader above={{ href: "/admin/users", name: "Users" }} title={user.email}>
        <Facts user={user} now={ctx.now} />
      </PageHeader>
      <Card title="Profiles">
        {profiles.length === 0 && <p className="text-muted">None.</p>}
        <ul className="flex flex-col gap-2">
          {profiles.map(({ did, state, createdAt }) => (
            <li key={did}>
              <Link
                href={`/admin/profiles/${encodeURIComponent(did)}`}
                prefetch={false}
                className="font-mono text-xs break-all text-accent underline underline-offset-4"
              >
                {did}
              </Link>{" "}
              <span className="text-muted">
                since <When at={createdAt} now={ctx.now} />
                {state === "suspended" && " · suspended"}
              </span>
            </li>
          ))}
        </ul>
        <MakeProfile userId={user.id} namespace={engine().settings.values().PROF_NAMESPACE} />
      </Card>
      <Card title="Role">
        <UserRole userId={user.id} role={user.role} isSelf={user.id === who.userId} />
      </Card>
      <Card title="Forgotten password">
        <ResetLink userId={user.id} />
      </Card>
      <Card title={user.state === "active" ? "Suspend" : "Suspended"}>
        <StateSwitch userId={user.id} state={user.state} />
      </Card>
      <Card title="Delete">
        <Delete userId={user.id} />
      </Card>
    </div>
  );
}

function Facts({ user, now }: { user: UserLine; now: Date }) {
  return (
    <>
      {user.role === "admin" && <Badge>Admin</Badge>}{" "}
      {user.state === "suspended" && <span className="text-danger">Suspended · </span>}
      {user.name !== null && (
        <>
          <InertText text={user.name} /> ·{" "}
        </>
      )}
      since <When at={user.createdAt} now={now} /> ·{" "}
      {user.lastSeenAt === null ? (
        "never seen"
      ) : (
        <>
          seen <When at={user.lastSeenAt} now={now} />
        </>
      )}
    </>
  );
}
