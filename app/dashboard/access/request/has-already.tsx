import Link from "next/link";
import type { CategoryReach } from "@/lib/services/access/sight/reach";
import { Form } from "../../../_components/forms/form";
import { categoryTitle } from "../../../_components/words/category";
import { counted } from "../../../_components/words/list";
import { openingWords, type ReaderClock } from "../../audience/opening-words";
import { changeAction } from "../policies/actions";
import { ruleHref } from "../policies/schemas";
import { heldWords } from "./words/grant-words";

interface HasAlreadyProps {
  /** Left out where the agent is not active: then it has nothing. */
  categories: readonly CategoryReach[] | undefined;
  clock: ReaderClock;
}

const shownMax = 6;

/** What the agent reads, or may take, without this request: by which rule, and until when. */
export function HasAlready({ categories, clock }: HasAlreadyProps) {
  if (categories === undefined) return null;
  const has = categories.filter(({ reads, takes }) => reads !== null || takes !== null);
  return (
    <section
      aria-label="It has already"
      className="my-3.5 rounded-box border border-theirs-line bg-surface/70 px-3 py-2.5 text-small"
    >
      <h2 className="font-semibold">It has already</h2>
      {has.length === 0 ? (
        <p>Nothing: it reads nothing without asking you.</p>
      ) : (
        <ul className="mt-1 flex flex-col gap-1">
          {has.slice(0, shownMax).map((one) => (
            <Had key={one.category} reach={one} clock={clock} />
          ))}
          {has.length > shownMax && (
            <li>and {counted(has.length - shownMax, "more category", "more categories")}</li>
          )}
        </ul>
      )}
    </section>
  );
}

function Had({ reach, clock }: { reach: CategoryReach; clock: ReaderClock }) {
  const { category, reads, takes } = reach;
  const policy = (reads ?? takes)?.policy;
  return (
    <li className="flex items-center gap-3">
      <p className="min-w-0 flex-1">
        <span className="font-medium">{categoryTitle(category)}</span>, {heldWords(reach)},{" "}
        {openingWords(reach, clock)}
      </p>
      {policy?.origin === "consent" ? (
        <Form action={changeAction} className="flex">
          <input type="hidden" name="remove" value={policy.id} />
          <button type="submit" className="min-h-11 link rail:min-h-6">
            End it<span className="sr-only"> for {categoryTitle(category)}</span>
          </button>
        </Form>
      ) : (
        policy !== undefined && (
          <Link
            href={ruleHref(policy.id)}
            className="inline-flex min-h-11 items-center link rail:min-h-6"
          >
            Rule<span className="sr-only"> for {categoryTitle(category)}</span>
          </Link>
        )
      )}
    </li>
  );
}
