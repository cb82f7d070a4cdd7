import type { AdminEventLine } from "@/lib/services/admin/list-admin-events";
import { Identicon } from "../../_components/shown/identicon";
import { InertText } from "../../_components/shown/inert-text";
import { When } from "../../_components/shown/when";
import { adminVerbWords, changesOf, otherActors } from "../words/admin-event";

interface EventProps {
  event: AdminEventLine;
  now: Date;
  /** Leaves out the id of the subject, and what changed. */
  isShort?: boolean;
}

export function AdminEvent({ event, now, isShort = false }: EventProps) {
  const { admin, verb, subjectId, subjectName, at } = event;
  const isSelf = subjectId === admin.id;
  const id = subjectId !== null && !isSelf && !(isShort && subjectName !== null) ? subjectId : null;
  return (
    <li className="flex gap-3 px-4 py-2.5">
      <Identicon did={admin.email ?? admin.id} className="mt-0.5 size-6" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p>
          <span className="font-semibold">
            {admin.email ?? otherActors[admin.id] ?? "Somebody whose account is gone"}
          </span>{" "}
          {adminVerbWords(verb)}{" "}
          {subjectName !== null && !isSelf && (
            <span className="font-medium">
              <InertText text={subjectName} />{" "}
            </span>
          )}
          {id !== null && (
            <code className="font-mono text-small">
              <InertText text={id} />
            </code>
          )}
        </p>
        {(isShort ? [] : changesOf(event)).map((change) => (
          <p key={change} className="text-muted">
            <InertText text={change} />
          </p>
        ))}
        <p className="text-small text-muted">
          <When at={at} now={now} />
        </p>
      </div>
    </li>
  );
}
