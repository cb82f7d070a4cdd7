import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/app/_components/shell/page-header";
import { engine } from "@/lib/engine/engine";
import { missing } from "@/lib/http/page-failure";
import { adminFinds } from "@/lib/http/session/admin";
import { listProfiles } from "@/lib/services/admin/profiles/list-profiles";
import { findUser } from "@/lib/services/admin/users/list-users";
import type { Ctx } from "@/lib/services/context";
import { Badge } from "../../../_components/badge";
import { Card } from "../../../_components/card";
import { InertText } from "../../../_components/shown/inert-text";
import { LastSeen } from "../../../_components/shown/seen";
import { When } from "../../../_components/shown/when";
import { NewProfileFields } from "../../../dashboard/settings/profiles/new-profile-fields";
import { AdminAct, Deletion, Suspension } from "../../_parts/admin-act";
import NotFound from "../../not-found";
import { profileAction } from "../../profiles/actions";
import { userAction } from "../actions";
import { LinkShownOnce, RoleField } from "../fields";

type Props = { params: Promise<{ id: string }> };

const profilesMax = 100;

const load = adminFinds(findUser);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await load((await params).id)).found?.email ?? "Not found" };
}

export default async function UserPage({ params }: Props) {
  const { ctx, who, found: user } = await load((await params).id);
  if (user === null) return missing(<NotFound />);
  const { id: userId, email, name, role, state } = user;
  const target = { action: userAction, to: { userId } };
  const isSelf = userId === who.userId;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader above={{ href: "/admin/users", name: "People" }} title={email}>
        {role === "admin" && <Badge>Admin</Badge>}{" "}
        {state === "suspended" && <span className="text-danger">Suspended · </span>}
        {name !== null && (
          <>
            <InertText text={name} /> ·{" "}
          </>
        )}
        <LastSeen since={user.createdAt} lastSeenAt={user.lastSeenAt} now={ctx.now} />
      </PageHeader>
      <Profiles ctx={ctx} userId={userId} />
      <AdminAct
        {...target}
        title="Role"
        intent="changeRole"
        words={role === "admin" && `${isSelf ? selfWords : ""}${demotionWords}`}
        button="Change role"
      >
        <RoleField key={role} current={role} />
      </AdminAct>
      <AdminAct
        {...target}
        title="Forgotten password"
        intent="reset"
        words={resetWords}
        button={engine().mailer === null ? "Make a reset link" : "Mail a reset link"}
      >
        <LinkShownOnce what="the reset link" />
      </AdminAct>
      <Suspension {...target} state={state} words={suspensionWords} />
      <Deletion {...target} words={deletionWords} sure="their e-mail address" />
    </div>
  );
}

const resetWords =
  "A link to choose a new password, good for an hour. Using it ends all their sessions. The user sees on every page that you made it, and reads it in the activity of their profiles.";
const suspensionWords = {
  active:
    "Every session of theirs ends at once, and they cannot sign in. Agents that they registered are suspended too. Their profiles stay as they are, and what they granted goes on.",
  suspended: "They cannot sign in. Nothing of theirs was changed.",
};
const deletionWords =
  "The account, its sessions and every profile of theirs are erased at once and for good: what they hold, what was granted on them, and of their logs all but the last hash. Nobody can take up their DIDs again. The logs of other profiles keep the DIDs whose keys were used there. What they could not export before is lost.";
const selfWords =
  "This is you. As a user you leave the admin pages at once; another admin has to bring you back. ";
const demotionWords =
  "As a user they lose the keys that they added to agents. Those keys stay revoked. Agents that they registered are suspended until another admin resumes them.";

async function Profiles({ ctx, userId }: { ctx: Ctx; userId: string }) {
  const { profiles } = await listProfiles(ctx, { ownerId: userId, limit: profilesMax });
  return (
    <Card title="Profiles">
      {profiles.length === 0 && <p className="text-muted">None.</p>}
      <ul className="flex flex-col gap-2">
        {profiles.map(({ did, state, createdAt }) => (
          <li key={did}>
            <Link
              href={`/admin/profiles/${encodeURIComponent(did)}`}
              prefetch={false}
              className="font-mono text-small break-all link"
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
      <details className="mt-4">
        <summary className="mb-4 w-fit link">Make a profile for them</summary>
        <AdminAct action={profileAction} to={{ userId }} intent="create" button="Make profile">
          <NewProfileFields namespace={engine().settings.values().PROF_NAMESPACE} />
        </AdminAct>
      </details>
    </Card>
  );
}
