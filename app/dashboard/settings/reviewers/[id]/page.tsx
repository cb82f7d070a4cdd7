import type { Metadata } from "next";
import { Card } from "@/app/_components/card";
import { EnterGuard } from "@/app/_components/forms/enter-guard";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { Pages } from "@/app/_components/lists/pages";
import { AgentName } from "@/app/_components/shown/agent-name";
import { CategoryChip } from "@/app/_components/shown/category-chip";
import { InertText } from "@/app/_components/shown/inert-text";
import { LongText } from "@/app/_components/shown/long-text";
import { When } from "@/app/_components/shown/when";
import { Empty } from "@/app/_components/states/empty";
import { didName } from "@/app/_components/words/did-name";
import { visibleText } from "@/app/_components/words/inert";
import { missing } from "@/lib/http/page-failure";
import {
  searchParams as addressOf,
  place,
  type Query,
} from "@/lib/http/session/address/search-params";
import { pageContext } from "@/lib/http/session/page";
import { withoutSecrets } from "@/lib/rules/guard/without-secrets";
import { type ForReviewer, listForReviewer } from "@/lib/services/reviewers/review-for-owner";
import { findReviewing } from "@/lib/services/reviewers/reviewing";
import { decideForOwnerAction } from "../actions";

export const metadata: Metadata = { title: "Review for others" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Query>;
}

const perPage = 20;

export default async function ReviewingPage({ params, searchParams }: Props) {
  const [{ ctx }, { id }] = [await pageContext(), await params];
  const reviewing = await findReviewing(ctx, id);
  if (reviewing === null) {
    return missing(
      <Empty title="You do not review here">
        The invitation has ended, or was never yours. Nothing of the profile is shown.
      </Empty>,
    );
  }
  const address = reviewingAddress(id);
  const { after } = address.read(await searchParams);
  const input = { did: reviewing.did, after, limit: perPage };
  const { items, next } = await listForReviewer(ctx, input);
  return (
    <Card title={`What waits for ${didName(reviewing.did)}`}>
      {items.length === 0 ? (
        <p className="text-muted">
          {after === undefined && next === null
            ? "Nothing waits that you could decide."
            : "Nothing on this page waits that you could decide."}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {items.map((item) => (
            <li key={item.id} className="py-4">
              <Proposal item={item} reviewerId={id} now={ctx.now} />
            </li>
          ))}
        </ul>
      )}
      <Pages
        newest={after === undefined ? null : address.href({})}
        older={next === null ? null : address.href({ after: { ...next, tier: 0 } })}
        words={{ first: "Oldest", next: "Newer" }}
      />
      <p className="mt-3 text-small text-muted">
        What is sensitive, has a warning or was imported is for the owner alone, and not listed.
      </p>
    </Card>
  );
}

const reviewingAddress = (id: string) =>
  addressOf(`/dashboard/settings/reviewers/${id}`, { after: place });

interface ProposalProps {
  item: ForReviewer;
  reviewerId: string;
  now: Date;
}

const nameMax = 60;

function Proposal({ item, reviewerId, now }: ProposalProps) {
  const { id, agent, content, context, category, confidence, proposedAt } = item;
  const text = withoutSecrets(content);
  const name = visibleText(text.slice(0, nameMax));
  return (
    <article aria-label={name}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <AgentName agent={agent} className="font-medium" tile="size-5" />
        <span className="text-small text-muted">
          {Math.round(confidence * 100)} % sure, <When at={proposedAt} now={now} />
        </span>
      </p>
      <p className="mt-1.5">
        <CategoryChip category={category} />
      </p>
      <div className="theirs mt-2 px-3 py-2">
        <LongText text={text} />
      </div>
      {context !== null && (
        <p className="mt-2">
          <span className="text-muted">Its reason: </span>
          <InertText text={withoutSecrets(context)} lines />
        </p>
      )}
      <Decide reviewerId={reviewerId} proposalId={id} name={name} />
    </article>
  );
}

interface DecideProps {
  reviewerId: string;
  proposalId: string;
  name: string;
}

function Decide({ reviewerId, proposalId, name }: DecideProps) {
  return (
    <Form
      action={decideForOwnerAction}
      className="mt-3 flex flex-wrap items-end justify-between gap-3"
    >
      <EnterGuard />
      <input type="hidden" name="reviewerId" value={reviewerId} />
      <input type="hidden" name="proposalId" value={proposalId} />
      <SubmitButton look="primary" name="intent" value="approve" aria-label={`Keep: ${name}`}>
        Keep it
      </SubmitButton>
      <span className="flex flex-wrap items-end gap-3">
        <label className="flex flex-col gap-1 text-small">
          Why not, for the agent (optional)
          <input name="reason" maxLength={500} className="control" autoComplete="off" />
        </label>
        <SubmitButton
          look="secondary"
          className="self-end!"
          name="intent"
          value="reject"
          aria-label={`Reject: ${name}`}
        >
          Reject
        </SubmitButton>
      </span>
    </Form>
  );
}
