import type { Metadata } from "next";
import { Card } from "@/app/_components/card";
import { Field } from "@/app/_components/forms/fields/field";
import { SelectField } from "@/app/_components/forms/fields/select-field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { When } from "@/app/_components/shown/when";
import { TextLink } from "@/app/_components/text-link";
import { didName } from "@/app/_components/words/did-name";
import { counted } from "@/app/_components/words/list";
import { chosenProfile, pageContext } from "@/lib/http/session/page";
import { listReviewers, type Reviewer } from "@/lib/services/reviewers/reviewers";
import { listReviewing, type Reviewing } from "@/lib/services/reviewers/reviewing";
import {
  answerInvitationAction,
  endReviewerAction,
  inviteReviewerAction,
  withdrawInvitationsAction,
} from "./actions";

export const metadata: Metadata = { title: "Reviewers" };

export default async function ReviewersPage() {
  const { ctx, who } = await pageContext();
  const profile = await chosenProfile(who);
  const isOpen = profile !== null && profile.state === "active";
  const [reviewers, reviewing] = await Promise.all([
    isOpen ? listReviewers(ctx, profile.did) : [],
    listReviewing(ctx),
  ]);
  return (
    <>
      {isOpen && <Invite />}
      {reviewers.length > 0 && <Reviewers reviewers={reviewers} now={ctx.now} />}
      {reviewing.length > 0 && (
        <Card title="You for others">
          <ul className="divide-y divide-line">
            {reviewing.map((one) => (
              <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                <Line reviewing={one} now={ctx.now} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

const lives = [
  ["1", "a day"],
  ["7", "a week"],
  ["30", "30 days"],
  ["90", "90 days"],
] as const;

function Invite() {
  return (
    <Card title="Let another account review for you">
      <p className="text-muted">
        Another account of this gateway sees what agents propose to you, and keeps or rejects it in
        your place, with its name on each decision. It sees nothing else of yours. What is
        sensitive, has a warning or was imported stays for you alone.
      </p>
      <Form action={inviteReviewerAction} className="mt-4 flex flex-col gap-4" submit="Invite">
        <Field name="email" label="Its e-mail address" type="email" required maxLength={254} />
        <SelectField name="days" label="For" choices={lives} initial="30" />
      </Form>
      <Form action={withdrawInvitationsAction} className="mt-4">
        <p className="text-small text-muted">
          A wrong address? What was not accepted can be withdrawn.
        </p>
        <SubmitButton look="secondary" className="mt-1.5">
          Withdraw invitations
        </SubmitButton>
      </Form>
    </Card>
  );
}

function Reviewers({ reviewers, now }: { reviewers: readonly Reviewer[]; now: Date }) {
  return (
    <Card title="They review for you">
      <ul className="divide-y divide-line">
        {reviewers.map(({ id, name, email, acceptedAt, expiresAt, decided }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
              <span className="font-medium">{name ?? email}</span>{" "}
              {name !== null && <span className="text-muted">{email}</span>}
              <span className="block text-small text-muted">
                Since <When at={acceptedAt} now={now} />, ends <When at={expiresAt} now={now} />;{" "}
                {counted(decided, "proposal")} decided
              </span>
            </p>
            <Form action={endReviewerAction} className="">
              <input type="hidden" name="reviewerId" value={id} />
              <SubmitButton look="danger" aria-label={`End: ${name ?? email}`}>
                End
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Line({ reviewing, now }: { reviewing: Reviewing; now: Date }) {
  const { id, did, owner, acceptedAt, expiresAt } = reviewing;
  return (
    <>
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {acceptedAt === null ? (
          <>
            <span className="font-medium">{owner}</span> invites you to review what agents propose
            to {didName(did)}.
          </>
        ) : (
          <TextLink href={`/dashboard/settings/reviewers/${id}`}>
            Review for {didName(did)}
          </TextLink>
        )}
        <span className="block text-small text-muted">
          Ends <When at={expiresAt} now={now} />
        </span>
      </p>
      <Form action={answerInvitationAction} className="flex gap-3">
        <input type="hidden" name="reviewerId" value={id} />
        {acceptedAt === null && (
          <SubmitButton look="secondary" name="intent" value="accept">
            Accept
          </SubmitButton>
        )}
        <SubmitButton look="danger" name="intent" value="leave">
          {acceptedAt === null ? "Decline" : "Stop"}
        </SubmitButton>
      </Form>
    </>
  );
}
