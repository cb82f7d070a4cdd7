import type { ReactNode } from "react";
import type { PendingConsent } from "@/lib/services/access/consents";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import {
  legalBasisWord,
  purposeWord,
  retentionWord,
  type Word,
} from "../../../_components/words/purpose";

type PurposeRequest = Pick<
  PendingConsent,
  "purposeType" | "purposeDescription" | "legalBasis" | "retention" | "timesAsked" | "requestedAt"
>;

interface PurposeProps {
  request: PurposeRequest;
  now: Date;
}

/** Why, in our words; the agent's own stand in a box, as a quotation. */
export function Purpose({ request, now }: PurposeProps) {
  const { purposeType, purposeDescription, legalBasis, retention, timesAsked } = request;
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Row name="What for">
          <PurposeWords word={purposeWord(purposeType)} />
        </Row>
        <Row name="Keeps it">
          {retention === null ? (
            "It does not say"
          ) : (
            <PurposeWords word={retentionWord(retention)} />
          )}
        </Row>
        <Row name="Ground">
          {legalBasis === null ? (
            "It does not say"
          ) : (
            <PurposeWords word={legalBasisWord(legalBasis)} />
          )}
        </Row>
        <Row name="Asked">
          <When at={request.requestedAt} now={now} />
          {timesAsked > 1 && ` for the first time, ${timesAsked.toLocaleString("en")} times so far`}
        </Row>
      </dl>
      {purposeDescription !== null && purposeDescription !== "" && (
        <figure className="rounded-box border border-line px-3 py-2">
          <figcaption className="text-xs text-muted">In its own words</figcaption>
          <blockquote className="mt-0.5">
            <InertText text={purposeDescription} lines />
          </blockquote>
        </figure>
      )}
    </div>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

export function PurposeWords({ word: { text, note, recognised } }: { word: Word }) {
  return (
    <>
      <span className="wrap-anywhere">{text}</span>
      {note !== null && <span className="text-muted">, to {note}</span>}
      {!recognised && (
        <span
          title="A word of the agent's own; nobody has defined it here"
          className="ml-2 text-xs text-danger"
        >
          unrecognised
        </span>
      )}
    </>
  );
}
