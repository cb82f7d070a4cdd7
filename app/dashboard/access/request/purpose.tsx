import type { ReactNode } from "react";
import type { PendingConsent } from "@/lib/services/access/consents";
import { InertText } from "../../../_components/shown/inert-text";
import {
  legalBasisWord,
  purposeWord,
  retentionWord,
  type Word,
} from "../../../_components/words/purpose";

type PurposeRequest = Pick<
  PendingConsent,
  "purposeType" | "purposeDescription" | "legalBasis" | "retention"
>;

/** Why, in our words; the agent's own stand apart, as a quotation. */
export function Purpose({ request }: { request: PurposeRequest }) {
  const { purposeType, purposeDescription, legalBasis, retention } = request;
  return (
    <>
      <dl className="grid grid-cols-[84px_minmax(0,1fr)] gap-x-3 gap-y-1.5">
        <Row name="What for">
          <PurposeWords word={purposeWord(purposeType)} />
        </Row>
        <Row name="Keeps copies">
          {retention !== null && <PurposeWords word={retentionWord(retention)} />}
        </Row>
        <Row name="Legal basis">
          {legalBasis !== null && <PurposeWords word={legalBasisWord(legalBasis)} />}
        </Row>
      </dl>
      {purposeDescription !== null && purposeDescription !== "" && (
        <figure className="my-3.5 rounded-r-control border-l-3 border-theirs-muted bg-surface/55 px-3.5 py-3">
          <figcaption className="sr-only">In its own words</figcaption>
          <blockquote>
            “<InertText text={purposeDescription} lines />”
          </blockquote>
        </figure>
      )}
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-theirs-muted">{name}</dt>
      <dd>{children || "It does not say"}</dd>
    </>
  );
}

/** A word that nobody has defined here is the agent's own, and quoted as such. */
function PurposeWords({ word: { text, note, recognised } }: { word: Word }) {
  if (recognised) {
    return (
      <>
        <span className="font-semibold in-[td]:font-normal">{text}</span>
        {note !== null && `, to ${note}`}
      </>
    );
  }
  return (
    <>
      “<InertText text={text} />”{" "}
      <span title="Nobody has defined this word here" className="text-small text-muted">
        in its own word
      </span>
    </>
  );
}
