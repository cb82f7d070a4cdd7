import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/app/_components/shell/page-header";
import { adminContext, didInPath, orNoPage } from "@/lib/http/session/admin";
import {
  findProfile,
  type ProfileCounts,
  type WaitingTransfer as WaitingTransferLine,
} from "@/lib/services/admin/profiles/list-profiles";
import { Card } from "../../../_components/card";
import { When } from "../../../_components/shown/when";
import { counted } from "../../../_components/words/list";
import { Delete, Format, StateSwitch, Transfer, WaitingTransfer } from "./change";

export const metadata: Metadata = { title: "Profile" };

export default async function ProfilePage({ params }: { params: Promise<{ did: string }> }) {
  const { ctx } = await adminContext();
  const { profile, counts, transfer } = await orNoPage(
    findProfile(ctx, didInPath((await params).did)),
  );
  const { did, owner, state, profileType, version, createdAt } = profile;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        above={{ href: "/admin/profiles", name: "Profiles" }}
        title={<span className="font-mono text-lg break-all">{did}</span>}
      >
        {state === "suspended" && <span className="text-danger">Suspended · </span>}
        of{" "}
        <Link
          href={`/admin/users/${owner.id}`}
          className="text-accent underline underline-offset-4"
        >
          {owner.email}
        </Link>{" "}
        · since <When at={createdAt} now={ctx.now} />
      </PageHeader>
      <Card title="How much there is">
        <Counts counts={counts} now={ctx.now} />
      </Card>
      <Card title="Type and version">
        <Format did={did} profileType={profileType} version={version} />
      </Card>
      <Card title="Owner">
        {transfer === null ? (
          <Transfer did={did} />
        ) : (
          <WaitingTransfer did={did}>
            <Waiting transfer={transfer} now={ctx.now} />
          </WaitingTransfer>
        )}
      </Card>
      <Card title={state === "active" ? "Suspend" : "Suspended"}>
        <StateSwitch did={did} state={state} />
      </Card>
      <Card title="Delete">
        <Delete did={did} />
      </Card>
    </div>
  );
}

function Waiting({ transfer, now }: { transfer: WaitingTransferLine; now: Date }) {
  const { email, effectiveAt, acceptedByOwner, acceptedByNew } = transfer;
  return (
    <>
      <p>
        A transfer to <span className="font-medium break-all">{email}</span> is waiting.
      </p>
      <ul className="flex flex-col gap-1 text-muted">
        <li>{acceptedByOwner ? "The owner has accepted." : "The owner has not answered yet."}</li>
        <li>
          {acceptedByNew ? "The new owner has accepted." : "The new owner has not answered yet."}
        </li>
        {!acceptedByOwner && (
          <li>
            {effectiveAt <= now && !acceptedByNew ? (
              "It goes as soon as the new owner accepts: the owner did not answer in time."
            ) : (
              <>
                If the owner does not answer, the profile goes as soon as the new owner accepts, but
                not before <When at={effectiveAt} now={now} />.
              </>
            )}{" "}
            It never goes while the owner is suspended; once resumed, they have seven days.
          </li>
        )}
      </ul>
    </>
  );
}

function Counts({ counts, now }: { counts: ProfileCounts; now: Date }) {
  return (
    <ul className="flex flex-col gap-1">
      <li>{counted(counts.memories, "memory", "memories")}</li>
      <li>{counted(counts.pendingProposals, "proposal")} waiting for its owner</li>
      <li>{counted(counts.policies, "policy", "policies")} in force</li>
      <li>{counted(counts.activeTokens, "connection token")}</li>
      <li>
        {counts.lastEventAt === null ? (
          "Nothing has happened yet"
        ) : (
          <>
            Something last happened <When at={counts.lastEventAt} now={now} />
          </>
        )}
      </li>
    </ul>
  );
}
