import type { ReactNode } from "react";
import { covers, isSensitive } from "@/lib/protocol/scope";
import { sumOf } from "@/lib/rules/effect/seen";
import type { CategoryReach } from "@/lib/services/access/sight/reach";
import { Form } from "../../../_components/forms/form";
import { Icon } from "../../../_components/icon";
import { categoryIcon } from "../../../_components/shown/category-icon";
import { InertText } from "../../../_components/shown/inert-text";
import { Sensitive } from "../../../_components/shown/sensitive";
import { TextLink } from "../../../_components/text-link";
import { categoryTitle, categoryWords } from "../../../_components/words/category";
import { counted, grouped, list } from "../../../_components/words/list";
import type { ReaderClock } from "../../../_components/words/time";
import { EndGrant } from "../../access/end-grant";
import { changeAction } from "../../access/policies/actions";
import { heldWords } from "../../access/request/words/grant-words";
import { openingWords } from "../../audience/opening-words";
import { policySentence } from "../../policy-sentence";
import { isShut, openIn, openingOf, openUntil } from "../reach-words";

interface ReachTablesProps {
  categories: readonly CategoryReach[];
  clock: ReaderClock;
}

/** What it can read, may only propose and never gets, each with the rule behind it. */
export function ReachTables({ categories, clock }: ReachTablesProps) {
  const open = openIn(categories);
  const now = open.filter(({ reads }) => reads !== null);
  const taken = open.filter(({ reads }) => reads === null);
  const proposes = categories.filter((one) => one.proposes !== null && !open.includes(one));
  const never = categories.filter((one) => one.never !== null);
  const closed = categories.filter((one) => one.never === null && !open.includes(one));
  return (
    <Form action={changeAction}>
      <Rows
        id="can-read"
        title="Can read now"
        note={readsWords(now, isShut(categories) || taken.length > 0)}
      >
        {openRows(now, clock)}
      </Rows>
      {taken.length > 0 && (
        <Rows
          id="after-saying-why"
          title="Can read after saying why"
          note={`${heldWords(sumOf(taken))}; you are not asked`}
        >
          {openRows(taken, clock)}
        </Rows>
      )}
      <Proposes proposes={proposes} zone={clock.zone} />
      {open.length > 0 && closed.length > 0 && (
        <Rows id="has-to-ask" title="Has to ask you first" note={asksNote(closed, open)}>
          {[
            <li key="closed" className="px-3 py-2.5">
              <Categories of={closed} />
            </li>,
          ]}
        </Rows>
      )}
      {never.length > 0 && <Never never={never} />}
    </Form>
  );
}

// A category may be closed while one below it is open, and listed further up.
function asksNote(closed: readonly CategoryReach[], open: readonly CategoryReach[]): string {
  const isPart = closed.some((one) => open.some(({ category }) => covers(one.category, category)));
  return isPart ? "To read these, but for what is named above." : "To read these.";
}

function readsWords(reads: readonly CategoryReach[], isAll: boolean): string {
  if (reads.length === 0) {
    return isAll ? "Nothing." : "Nothing: to read anything, it has to ask you first.";
  }
  const isEnding = reads.every((one) => openUntil(one) !== null);
  return `${heldWords(sumOf(reads))}, and what is added ${isEnding ? "until it ends" : "later"}`;
}

const rowsMax = 20;
/** In characters. */
const apartMax = 60;

// Those beyond the bound are counted: "See as" goes through all of it.
function openRows(open: readonly CategoryReach[], clock: ReaderClock): ReactNode[] {
  const shown = open.slice(0, rowsMax);
  const rows = shown.map((one) => <Row key={one.category} reach={one} {...{ open, clock }} />);
  const rest = open.slice(rowsMax);
  if (rest.length === 0) return rows;
  const words = `${counted(rest.length, "more category", "more categories")}: ${heldWords(sumOf(rest))}`;
  return [
    ...rows,
    <li key="rest" className="px-3 py-2.5 text-muted">
      {words}
    </li>,
  ];
}

function Proposes({ proposes, zone }: { proposes: readonly CategoryReach[]; zone: string }) {
  const sentenceOf = ({ proposes: opening }: CategoryReach) =>
    opening === null ? "" : policySentence(opening.policy, zone);
  return (
    <Rows
      id="may-propose"
      title="May only propose"
      note={proposes.length === 0 ? "Nothing." : "Nothing is kept before it is approved."}
    >
      {Array.from(grouped(proposes, sentenceOf), ([sentence, of]) => (
        <li key={sentence} className="px-3 py-2.5">
          <Categories of={of} />
          <p className="mt-1 wrap-anywhere text-muted">
            <InertText text={sentence} />
          </p>
        </li>
      ))}
    </Rows>
  );
}

function Categories({ of }: { of: readonly CategoryReach[] }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-x-4 gap-y-1.5">
      {of.slice(0, rowsMax).map(({ category }) => (
        <li key={category}>
          <Category category={category} />
        </li>
      ))}
      {of.length > rowsMax && (
        <li className="text-muted">
          and {counted(of.length - rowsMax, "more category", "more categories")}
        </li>
      )}
    </ul>
  );
}

function Category({ category }: { category: string }) {
  return (
    <span className="flex items-start gap-x-2 font-medium">
      <Icon icon={categoryIcon(category)} />
      <span className="flex min-w-0 flex-wrap gap-x-2">
        <span title={category} className="wrap-anywhere">
          {categoryTitle(category)}
        </span>
        {isSensitive(category) && <Sensitive />}
      </span>
    </span>
  );
}

interface RowsProps {
  id: string;
  title: string;
  note: string;
  children: ReactNode[];
}

function Rows({ id, title, note, children }: RowsProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1.5 text-lead font-semibold">
        {title} <span className="text-base font-normal text-muted">{note}</span>
      </h2>
      {children.length > 0 && <ul className="divide-y divide-line box">{children}</ul>}
    </section>
  );
}

interface RowProps {
  reach: CategoryReach;
  /** All that have a row: what a row below this one opens is not in it. */
  open: readonly CategoryReach[];
  clock: ReaderClock;
}

function Row({ reach, open, clock }: RowProps) {
  const apart = open.filter((one) => one.category.startsWith(`${reach.category}.`));
  const policy = openingOf(reach)?.policy;
  const isFirst = open.find((one) => openingOf(one)?.policy.id === policy?.id) === reach;
  return (
    <li className="grid gap-x-4 px-3 py-2.5 rail:grid-cols-[minmax(0,1fr)_11.5rem_minmax(0,1fr)]">
      <span>
        <Category category={reach.category} />
        {apart.length > 0 && (
          <span className="block pl-7 text-small text-muted">
            without {titlesOf(apart, apartMax)}
          </span>
        )}
      </span>
      <span className="font-semibold tabular-nums max-rail:pl-7">{heldWords(reach)}</span>
      <div className="flex items-start justify-between gap-x-4 max-rail:pl-7">
        <span className="inline-block wrap-anywhere text-muted first-letter:uppercase">
          <InertText text={openingWords(reach, clock)} />
        </span>
        {isFirst && policy?.origin === "consent" && <EndGrant policy={policy} />}
      </div>
    </li>
  );
}

// What an admin's limit keeps from it has no rule of the owner's.
function Never({ never }: { never: readonly CategoryReach[] }) {
  const byAdmin = never.filter((one) => one.never?.policy === null);
  const byQuarantine = never.filter((one) => one.never?.policy?.origin === "quarantine");
  const byRule = never.filter((one) => !byAdmin.includes(one) && !byQuarantine.includes(one));
  return (
    <p className="flex items-start gap-2 px-3 text-muted">
      <Icon icon="lock-simple-fill" />
      <span className="wrap-anywhere">
        {byQuarantine.length > 0 &&
          `While it is in quarantine, nothing of ${titlesOf(byQuarantine)}. `}
        {byRule.length > 0 && (
          <>
            Never: {titlesOf(byRule)}.{" "}
            <TextLink href="/dashboard/access/policies">Your rules forbid it</TextLink>.{" "}
          </>
        )}
        {byAdmin.length > 0 && `An admin of this gateway keeps it from ${titlesOf(byAdmin)}.`}
      </span>
    </p>
  );
}

function titlesOf(reaches: readonly CategoryReach[], max?: number): string {
  const words = reaches.map(({ category }) => categoryWords(category));
  return list(words, max);
}
