import type { Metadata } from "next";
import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { param, type Query, searchParams } from "@/lib/http/session/address/search-params";
import { adminContext } from "@/lib/http/session/admin";
import { type Invitation, listInvitations } from "@/lib/services/admin/users/links";
import { listUsers, type UserLine } from "@/lib/services/admin/users/list-users";
import { Badge } from "../../_components/badge";
import { Field } from "../../_components/forms/fields/field";
import { LinkedRow } from "../../_components/lists/linked-row";
import { selectFilter } from "../../_components/lists/select-filter";
import { Identicon } from "../../_components/shown/identicon";
import { InertText } from "../../_components/shown/inert-text";
import { LastSeen } from "../../_components/shown/seen";
import { When } from "../../_components/shown/when";
import { counted } from "../../_components/words/list";
import { AdminAct } from "../_parts/admin-act";
import { AdminList, listed, perPage } from "../_parts/admin-list";
import { userAction } from "./actions";
import { LinkShownOnce, RoleField } from "./fields";

export const metadata: Metadata = { title: "People" };

const address = searchParams("/admin/users", {
  ...listed,
  only: param(z.enum(["admins", "suspended"])),
});

const kinds = { "": "Everybody", admins: "Admins", suspended: "Suspended" };

export default async function PeoplePage(props: { searchParams: Promise<Query> }) {
  const { ctx } = await adminContext();
  const values = address.read(await props.searchParams);
  const { search, only, before } = values;
  const { users, next } = await listUsers(ctx, {
    search,
    role: only === "admins" ? "admin" : undefined,
    state: only === "suspended" ? "suspended" : undefined,
    after: before && { createdAt: before.at, id: before.id },
    limit: perPage,
  });
  return (
    <AdminList
      title="People"
      words="Who has an account here. What their profiles hold is theirs alone."
      beside={<Invite open={await listInvitations(ctx)} now={ctx.now} />}
      address={address}
      values={values}
      search="E-mail address or name"
      filters={[selectFilter("only", "Which people", only, kinds)]}
      next={next && { at: next.createdAt, id: next.id }}
      gone="The account is gone, with every profile of theirs."
      none="Nobody matches. Look for another part of the address or the name."
    >
      {users.map((user) => (
        <UserRow key={user.id} user={user} now={ctx.now} />
      ))}
    </AdminList>
  );
}

/** A <details>: it opens before scripts do. */
function Invite({ open, now }: { open: Invitation[]; now: Date }) {
  return (
    <>
      <details className="open:w-full">
        <summary className="summary-button">Invite somebody</summary>
        <div className="mt-3 box p-5">
          <AdminAct
            action={userAction}
            to={{}}
            intent="invite"
            button={engine().mailer === null ? "Make a link" : "Send the link"}
            look="primary"
          >
            <Field name="email" label="E-mail address" type="email" exact />
            <RoleField current="user" />
            <LinkShownOnce what="the invitation" />
          </AdminAct>
        </div>
      </details>
      {open.length > 0 && (
        <section className="w-full box p-5">
          <h2 className="mb-2 font-semibold">Open invitations</h2>
          <ul className="flex flex-col gap-1">
            {open.map(({ email, role, expiresAt }) => (
              <li key={email} className="wrap-anywhere">
                {email} {role === "admin" && <Badge>Admin</Badge>}{" "}
                <span className="text-muted">
                  ends <When at={expiresAt} now={now} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function UserRow({ user, now }: { user: UserLine; now: Date }) {
  const { id, email, name, role, state, profiles, createdAt, lastSeenAt } = user;
  return (
    <LinkedRow
      href={`${address.path}/${id}`}
      picture={<Identicon did={email} className="size-9" />}
      title={email}
      state={
        <>
          {role === "admin" && <Badge>Admin</Badge>}
          {state === "suspended" && <span className="text-small text-danger">Suspended</span>}
        </>
      }
    >
      {name !== null && (
        <>
          <InertText text={name} /> ·{" "}
        </>
      )}
      {counted(profiles, "profile")} ·{" "}
      <LastSeen since={createdAt} lastSeenAt={lastSeenAt} now={now} />
    </LinkedRow>
  );
}
