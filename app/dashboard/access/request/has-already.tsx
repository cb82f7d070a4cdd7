import Link from "next/link";
import type { CategoryReach } from "@/lib/services/access/sight/reach";
import { Form } from "../../../_components/forms/form";
import { InertText } from "../../../_components/shown/inert-text";
import { categoryTitle, categoryWords } from "../../../_components/words/category";
import { counted, grouped, list } from "../../../_components/words/list";
import type { ReaderClock } from "../../../_components/words/time";
import { openIn, openingOf } from "../../agents/reach-words";
import { openingWords } from "../../audience/opening-words";
import { EndGrant } from "../end-grant";
import { changeAction } from "../policies/actions";
import { ruleHref } from "../policies/schemas";
import { heldWords } from "./words/grant-words";

interface HasAlreadyProps {
  /** Left out where the agent is not active: then it has nothing. */
  categories: readonly CategoryReach[] | undefined;
  clock: ReaderClock;
}

const shownMax = 6;

/** What the agent can read without this request: by which rule, and until when. */
export function HasAlready({ categories, clock }: HasAlreadyProps) {
  if (categories === undefined) return null;
  const has = openIn(categories);
  return (
    <section
      aria-label="It has already"
      className="my-3.5 rounded-box border border-theirs-line bg-surface/70 px-3 py-2.5 text-small"
    >
      <h2 className="font-semibold">It has already</h2>
      <Form action={changeAction} className="">
        {has.length === 0 ? (
          <p>Nothing: it reads nothing without asking you.</p>
        ) : (
          <ul className="mt-1 flex flex-col gap-1.5">
            {Array.from(grouped(has.slice(0, shownMax), policyIdOf), ([id, opened]) => (
              <Had key={id} opened={opened} clock={clock} />
            ))}
            {has.length > shownMax && (
              <li>and {counted(has.length - shownMax, "more category", "more categories")}</li>
            )}
          </ul>
        )}
      </Form>
    </section>
  );
}

const policyIdOf = (one: CategoryReach) => openingOf(one)?.policy.id ?? "";

interface HadProps {
  /** By one rule or grant. */
  opened: readonly CategoryReach[];
  clock: ReaderClock;
}

function Had({ opened, clock }: HadProps) {
  const [policy] = opened.flatMap((one) => openingOf(one)?.policy ?? []);
  if (policy === undefined) return null;
  return (
    <li>
      {opened.map((one) => (
        <p key={one.category}>
          <span className="font-medium">{categoryTitle(one.category)}</span>, {heldWords(one)},{" "}
          <InertText text={openingWords(one, clock)} />
        </p>
      ))}
      {policy.origin === "consent" ? (
        <EndGrant policy={policy} />
      ) : (
        <Link
          href={ruleHref(policy.id)}
          className="inline-flex min-h-11 items-center link rail:min-h-6"
        >
          The rule<span className="sr-only"> for {list(policy.allow.map(categoryWords))}</span>
        </Link>
      )}
    </li>
  );
}
