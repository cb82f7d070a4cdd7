import { Form, SubmitButton } from "@/app/_components/forms/form";
import { withoutSecrets } from "@/lib/rules/guard/without-secrets";
import type { Ctx } from "@/lib/services/context";
import { listRejections, type Rejection } from "@/lib/services/proposals/deciding/rejections";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { categoryTitle } from "../../../_components/words/category";
import { visibleText } from "../../../_components/words/inert";
import { counted } from "../../../_components/words/list";
import { liftRejectionAction } from "../actions";

const beginningMax = 160;

interface Props {
  ctx: Ctx;
  did: string;
  agentDid: string;
}

/** What the owner rejected of the agent, which is answered with that at once when it is proposed again. */
export async function Rejections({ ctx, did, agentDid }: Props) {
  const { all, count, timesMet } = await listRejections(ctx, { did, agentDid });
  if (count === 0) return null;
  return (
    <section aria-labelledby="rejections">
      <h2 id="rejections" className="text-lead font-semibold">
        Rejected for good
      </h2>
      <p className="mb-1.5 text-muted">
        The agent gets your rejection as the answer when it proposes one of these again:{" "}
        {timesMet === 0 ? "not once so far" : `${counted(timesMet, "time")} so far`}.
      </p>
      <ul className="divide-y divide-line border-y border-line text-small">
        {all.map((rejection) => (
          <Line key={rejection.id} rejection={rejection} now={ctx.now} />
        ))}
      </ul>
      {count > all.length && (
        <p className="mt-2 text-small text-muted">
          {(count - all.length).toLocaleString("en")} more are not listed.
        </p>
      )}
    </section>
  );
}

function Line({ rejection, now }: { rejection: Rejection; now: Date }) {
  const { id, content, category, timesMet, rejectedAt } = rejection;
  const text = content === null ? null : withoutSecrets(content).slice(0, beginningMax);
  const name = text === null ? `in ${categoryTitle(category)}` : visibleText(text);
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 py-2">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {text === null ? (
          <span className="text-muted">Something in {categoryTitle(category)}</span>
        ) : (
          <InertText text={text} />
        )}
      </span>
      <span className="text-muted">
        {timesMet > 0 && `${counted(timesMet, "time")} again, `}
        <When at={rejectedAt} now={now} />
      </span>
      <Form action={liftRejectionAction} className="w-full">
        <input type="hidden" name="rejectionId" value={id} />
        <SubmitButton look="quiet" aria-label={`Let it propose this again: ${name.slice(0, 60)}`}>
          Let it propose this again
        </SubmitButton>
      </Form>
    </li>
  );
}
