import { withoutSecrets } from "@/lib/rules/guard/without-secrets";
import type { Approved } from "@/lib/services/proposals/rules/approve-rules";
import { InertText } from "../../../../_components/shown/inert-text";
import { When } from "../../../../_components/shown/when";
import { TextLink } from "../../../../_components/text-link";
import { counted } from "../../../../_components/words/list";

const beginningMax = 160;

/** What a rule approved, each with the memory that it became. */
export function Approvals({ approved, now }: { approved: readonly Approved[]; now: Date }) {
  if (approved.length === 0) return null;
  return (
    <details className="mt-2">
      <summary className="inline-flex min-h-6 list-none items-center link">
        Show {counted(approved.length, "approval")}
      </summary>
      <ul className="mt-1.5 divide-y divide-line border-y border-line text-small">
        {approved.map(({ proposalId, content, at, memoryId }) => (
          <li key={proposalId} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2">
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              <InertText text={withoutSecrets(content).slice(0, beginningMax)} />
            </span>
            <span className="text-muted">
              <When at={at} now={now} />
            </span>
            {memoryId === null ? (
              <span className="text-muted">deleted since</span>
            ) : (
              <TextLink href={`/dashboard/memories/${memoryId}`}>Open</TextLink>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
