import type { ReactNode } from "react";
import { parseDid } from "@/lib/protocol/did";
import { findEverythingOff } from "@/lib/services/access/denial/everything-off";
import type { Ctx } from "@/lib/services/context";
import { loadNotices, type TransferNotice } from "@/lib/services/notices/account-notices";
import { Form, SubmitButton } from "../../_components/forms/form";
import { ExactTime } from "../../_components/shown/when";
import { TextLink } from "../../_components/text-link";
import { liftAction } from "../agents/actions";
import { answerTransferAction, dismissResetLinkAction } from "./actions";

interface NoticesProps {
  ctx: Ctx;
  /** The profile whose pages these are; left out where there is none. */
  did?: string;
}

/** What an admin did to the account, and that everything is off: above every page until it is answered. */
export async function Notices({ ctx, did }: NoticesProps) {
  const [{ transfers, resetLinkMadeAt, invitations }, denial] = await Promise.all([
    loadNotices(ctx),
    did === undefined ? null : findEverythingOff(ctx, did),
  ]);
  const count = transfers.length + invitations;
  if (count === 0 && resetLinkMadeAt === null && denial === null) return null;
  return (
    <div className="mb-8 flex flex-col gap-4">
      {denial !== null && <EverythingIsOff policyId={denial} />}
      {transfers.map((transfer) => (
        <Transfer key={transfer.did} transfer={transfer} now={ctx.now} />
      ))}
      {invitations > 0 && (
        <Frame title="You are invited to review for others">
          <TextLink href="/dashboard/settings/reviewers">Look at the invitation</TextLink>
        </Frame>
      )}
      {resetLinkMadeAt !== null && <ResetLink madeAt={resetLinkMadeAt} />}
    </div>
  );
}

interface TransferProps {
  transfer: TransferNotice;
  now: Date;
}

function Transfer({ transfer, now }: TransferProps) {
  const { did, requestedAt, isOwner, acceptedByOwner, acceptedByNew } = transfer;
  const hasAccepted = isOwner ? acceptedByOwner : acceptedByNew;
  return (
    <Frame
      title={isOwner ? "An admin wants to give your profile away" : "An admin offers you a profile"}
    >
      <Form action={answerTransferAction} className="flex flex-col gap-3">
        <input type="hidden" name="did" value={did} />
        <input type="hidden" name="requestedAt" value={requestedAt.toISOString()} />
        <p>
          {isOwner ? (
            <Given transfer={transfer} now={now} />
          ) : (
            <Offered transfer={transfer} now={now} />
          )}{" "}
          {hasAccepted && "You have accepted."}
        </p>
        <div className="flex flex-wrap gap-3">
          {!hasAccepted && (
            <SubmitButton look="secondary" name="intent" value="accept">
              Accept
            </SubmitButton>
          )}
          <SubmitButton look="danger" name="intent" value="refuse">
            Refuse
          </SubmitButton>
        </div>
      </Form>
    </Frame>
  );
}

function Given({ transfer, now }: TransferProps) {
  const { did, email, effectiveAt, acceptedByOwner, acceptedByNew } = transfer;
  return (
    <>
      Your profile <Named did={did} /> would go to{" "}
      <span className="font-medium break-all">{email}</span>, with everything in it; you could no
      longer see it. Its signing keys, connection tokens and receipts would be revoked, and the
      rules that open something switched off: no agent that you gave access reads it any more.{" "}
      {acceptedByOwner || (effectiveAt <= now && !acceptedByNew) ? (
        "It goes as soon as they accept."
      ) : (
        <>
          If you do not answer, it goes{" "}
          {acceptedByNew ? "on " : "as soon as they accept, but not before "}
          <ExactTime at={effectiveAt} />.
        </>
      )}
    </>
  );
}

function Offered({ transfer, now }: TransferProps) {
  const { did } = transfer;
  return (
    <>
      The profile <Named did={did} /> would become yours, with everything in it. Its signing keys,
      connection tokens and receipts would be revoked, and the rules that open something would come
      switched off: you choose who may read it. <OfferedWhen transfer={transfer} now={now} />
    </>
  );
}

function OfferedWhen({ transfer, now }: TransferProps) {
  const { effectiveAt, acceptedByOwner, acceptedByNew, waitsForOwner } = transfer;
  if (waitsForOwner) {
    return "Its owner cannot sign in now. It waits until they can, and then seven days for an answer.";
  }
  if (acceptedByOwner || (effectiveAt <= now && !acceptedByNew)) {
    return `Its owner ${acceptedByOwner ? "has accepted" : "did not answer in time"}. It goes as soon as you accept.`;
  }
  return (
    <>
      {acceptedByNew ? "It" : "If you accept, it"} becomes yours when its owner accepts, or on{" "}
      <ExactTime at={effectiveAt} /> if they do not answer.
    </>
  );
}

function EverythingIsOff({ policyId }: { policyId: string }) {
  return (
    <Frame title="Everything is off" look="border-danger bg-danger-soft">
      <Form action={liftAction} className="flex flex-col gap-3">
        <input type="hidden" name="policyId" value={policyId} />
        <p>
          No agent reads, asks or proposes anything: one rule of yours denies it to all of them.
          They can still look up what became of their own proposals.
        </p>
        <SubmitButton look="secondary">Let agents in again</SubmitButton>
      </Form>
    </Frame>
  );
}

function ResetLink({ madeAt }: { madeAt: Date }) {
  return (
    <Frame title="A link to set a new password was used or made">
      <Form action={dismissResetLinkAction} className="flex flex-col gap-3">
        <input type="hidden" name="madeAt" value={madeAt.toISOString()} />
        <p>
          It was used, or made by an admin, on <ExactTime at={madeAt} />. If that was not your
          doing, change your password and ask an admin.
        </p>
        <SubmitButton look="secondary">Dismiss</SubmitButton>
      </Form>
    </Frame>
  );
}

interface FrameProps {
  title: string;
  look?: string;
  children: ReactNode;
}

function Frame({ title, look = "border-line bg-sunken", children }: FrameProps) {
  return (
    <section aria-label={title} className={`rounded-box border px-4 py-3 text-ink ${look}`}>
      <p className="mb-1 font-semibold">{title}</p>
      {children}
    </section>
  );
}

function Named({ did }: { did: string }) {
  return (
    <>
      <span className="font-medium break-all">{parseDid(did)?.name}</span>{" "}
      <code className="font-mono text-small break-all">({did})</code>
    </>
  );
}
