import Link from "next/link";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { counted } from "../../../_components/words/list";
import { Hidden } from "../../lens/lens";
import { lookAddress } from "../schemas";
import type { ShownPart } from "./shown-parts";
import { heldWords } from "./words/grant-words";

interface PartProps {
  /** Where all of it can be looked through. */
  lookPath: string;
  part: ShownPart;
  now: Date;
}

/** What one switch opens: all of it counted, the newest in the words that the agent would get, and what stays closed. */
export function PartBody({ lookPath, part, now }: PartProps) {
  const { preview, items, closed } = part;
  const { scope, memories, values, already } = preview;
  const all = memories + values;
  return (
    <div className="rail:ml-14">
      <p className="mt-1.5 mb-2">
        {all > 0 && <b className="font-semibold">{heldWords({ memories, values })}</b>}
        {laterWords(all, preview)}
        {already.memories + already.values > 0 && (
          <span className="block text-small text-muted">
            It can read {heldWords(already)} of this already.
          </span>
        )}
      </p>
      {items.length > 0 && (
        <ul>
          {items.map(({ id, name, text, createdAt }) => (
            <li
              key={id}
              className="flex min-h-8 items-center gap-3 border-t border-line text-small group-has-checked/part:border-theirs-line"
            >
              <span className="min-w-0 truncate text-muted group-has-checked/part:text-ink">
                <InertText text={name === null ? text : `${name}: ${text}`} />
              </span>
              {createdAt !== undefined && (
                <span className="ml-auto text-muted group-has-checked/part:text-theirs-muted max-rail:hidden">
                  <When at={new Date(createdAt)} now={now} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {all > items.length && (
        <Link
          href={lookAddress(lookPath).href({ scope })}
          className="mt-1.5 inline-flex min-h-9 items-center text-small link rail:min-h-6"
        >
          Look through all {all.toLocaleString("en")}
        </Link>
      )}
      {closed.lines.length + closed.more > 0 && (
        <div className="mt-2">
          <p className="mb-1.5 text-small text-muted">
            {counted(closed.lines.length + closed.more, "thing")} in it would stay closed:
          </p>
          <Hidden lines={closed} />
        </div>
      )}
    </div>
  );
}

function laterWords(all: number, { opens, isLocked }: ShownPart["preview"]): string {
  if (isLocked) return "A rule or an admin's limit keeps it closed, whatever you grant.";
  if (all > 0) return opens ? ", and what is added later" : "; the rest of it stays closed";
  return opens
    ? "Nothing is there yet. What is added later will be read."
    : "Nothing is there yet. Of what is added later, only a part will be read.";
}
