import { Form, SubmitButton } from "@/app/_components/forms/form";
import type { Did } from "@/lib/protocol/did";
import { unusedDays } from "@/lib/services/access/unused/evidence";
import { findUnused, type UnusedScope } from "@/lib/services/access/unused/find-unused";
import type { Ctx } from "@/lib/services/context";
import { categoryTitle, categoryWords } from "../../../_components/words/category";
import { dayWords } from "../../../_components/words/time";
import { shrinkAccessAction } from "../actions";

interface Props {
  ctx: Ctx;
  did: string;
  agentDid: Did;
  zone: string;
}

const listedMax = 8;

/**
 * What rules open to the agent and it has not read, each to take away. The form stays when the list is empty, so that
 * a page without scripts shows the result of the last one.
 */
export async function UnusedAccess({ ctx, did, agentDid, zone }: Props) {
  const unused = await findUnused(ctx, { did, agentDid });
  return (
    <Form action={shrinkAccessAction} className={unused.length === 0 ? "hidden" : ""}>
      <input type="hidden" name="agentDid" value={agentDid} />
      {unused.length > 0 && (
        <section aria-labelledby="unused">
          <h2 id="unused" className="mb-1.5 text-lead font-semibold">
            Not read in {unusedDays} days
          </h2>
          <ul className="divide-y divide-line box">
            {unused.slice(0, listedMax).map((one) => (
              <Line key={`${one.policyId} ${one.scope}`} unused={one} zone={zone} />
            ))}
          </ul>
          {unused.length > listedMax && (
            <p className="mt-2 text-small text-muted">
              {(unused.length - listedMax).toLocaleString("en")} more are listed once these are
              gone.
            </p>
          )}
        </section>
      )}
    </Form>
  );
}

function Line({ unused, zone }: { unused: UnusedScope; zone: string }) {
  const { policyId, scope, origin, proposes, since } = unused;
  const rule = origin === "consent" ? "your grant" : "a rule of yours";
  const words = categoryWords(scope);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2.5">
      <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
        It has not read <span className="font-semibold">{categoryTitle(scope)}</span> in{" "}
        {unusedDays} days, though {rule} has allowed it since {dayWords(since, zone)}.
        {proposes && " The same rule lets it propose there: that leaves the rule as well."}
      </span>
      <SubmitButton
        look="secondary"
        name="take"
        value={`${policyId} ${scope}`}
        aria-label={`Take it away: ${words}`}
      >
        Take it away
      </SubmitButton>
    </li>
  );
}
