"use client";

import { Button } from "../../../_components/button";
import { Sensitive } from "../../../_components/shown/sensitive";
import { WordDiff } from "../review/diff-view";
import { type Sending, Verdict } from "../review/verdict";
import type { MatchView } from "./match-view";

interface MatchesProps extends Sending {
  id: string;
  content: string;
  /** Null while it is not known yet. */
  matches: MatchView[] | null;
  /** Whether a proposal's card is on this page. */
  isHere: (proposalId: string) => boolean;
  isSending: boolean;
}

const headLength = 500;

/** Shows what a claim resembles, with the differences, and offers to replace it. */
export function Matches({ id, content, matches, isHere, isSending, ...send }: MatchesProps) {
  if (matches === null) return <Unknown id={id} />;
  if (matches.length === 0) return null;
  const claim = Array.from(content).slice(0, headLength).join("");
  return (
    <div data-matches={id} className="mt-4 border-t border-line pt-3">
      <h3 className="text-xs text-muted">
        It resembles {whatIn(matches)}.{" "}
        <span className="whitespace-nowrap">Approving keeps both.</span>
      </h3>
      <ul className="mt-2 flex flex-col gap-2">
        {matches.map((match) => (
          <li key={match.id} className="rounded-box border border-line px-3 py-2">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-xs text-muted">
                {match.kind === "memory" ? "Your memory" : "Another proposal"}
                <span title={match.category} className="min-w-0 font-medium wrap-anywhere text-ink">
                  {match.title}
                </span>
                {match.isSensitive && <Sensitive />}
                <span title={`Likeness ${match.likeness.toFixed(2)} of 1`}>
                  {likenessWords(match.likeness)}
                </span>
              </p>
              {match.kind === "proposal" && (
                <a
                  href={isHere(match.id) ? `#${match.id}` : `/dashboard/proposals?only=${match.id}`}
                  className="text-xs font-medium text-accent underline underline-offset-4"
                >
                  Show that proposal
                </a>
              )}
            </div>
            <div className="mt-1">
              <WordDiff before={match.content} after={claim} />
              {match.isCut && <span className="text-muted"> … (their beginnings)</span>}
            </div>
            {match.kind === "memory" && (
              <div className="mt-2">
                <Verdict id={id} intent="replace" {...send}>
                  <input type="hidden" name="memoryId" value={match.id} />
                  <Button
                    type="submit"
                    look="secondary"
                    disabled={isSending}
                    title="Approve this proposal and archive the memory above"
                  >
                    Replace it with the proposal
                  </Button>
                </Verdict>
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

// Further down a page it is asked for as the card comes near; without scripts, on a page of its own.
function Unknown({ id }: { id: string }) {
  return (
    <noscript>
      <p className="mt-4 text-xs">
        <a
          href={`/dashboard/proposals?only=${id}`}
          className="text-accent underline underline-offset-4"
        >
          What it resembles
        </a>
      </p>
    </noscript>
  );
}

function whatIn(matches: MatchView[]): string {
  const memories = matches.filter(({ kind }) => kind === "memory").length;
  const others = matches.length - memories;
  return [
    memories > 0 && (memories === 1 ? "a memory of yours" : `${memories} memories of yours`),
    others > 0 && (others === 1 ? "another proposal" : `${others} other proposals`),
  ]
    .filter(Boolean)
    .join(" and ");
}

function likenessWords(likeness: number): string {
  if (likeness === 1) return "the same words";
  return likeness >= 0.7 ? "very alike" : likeness >= 0.5 ? "alike" : "somewhat alike";
}
