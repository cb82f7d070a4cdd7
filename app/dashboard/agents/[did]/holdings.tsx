import Link from "next/link";
import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { categoryTitle, categoryWords } from "../../../_components/words/category";
import { visibleText } from "../../../_components/words/inert";
import { counted, list } from "../../../_components/words/list";
import { purposeWord } from "../../../_components/words/purpose";

interface HoldingsProps {
  dossier: AgentDossier;
  now: Date;
}

/** Its receipts and tokens, as they stand. */
export function Holdings({ dossier: { receipts, tokens }, now }: HoldingsProps) {
  if (receipts.length + tokens.length === 0) {
    return <p className="text-muted">No receipt is active, and it has no connection token.</p>;
  }
  return (
    <>
      <ul className="flex wrap-anywhere flex-col divide-y divide-line">
        {receipts.slice(0, shownMax).map(({ id, scopes, purposeType, expiresAt }) => (
          <li key={id} className="py-2">
            A receipt for {list(scopes.map(categoryWords))},{" "}
            {purposeWord(purposeType).text.toLowerCase()}
            <span className="text-muted">
              {" · "}ends <When at={expiresAt} now={now} />
            </span>
          </li>
        ))}
        {tokens.slice(0, shownMax).map(({ id, label, lastFour, expiresAt, lastUsedAt }) => (
          <li key={id} className="py-2">
            <Link
              href="/dashboard/connections"
              className="text-accent underline underline-offset-4"
            >
              A connection token
            </Link>{" "}
            {label !== null && <InertText text={label} />} (…{lastFour})
            <span className="text-muted">
              {" · "}
              {lastUsedAt === null ? (
                "not used yet"
              ) : (
                <>
                  used <When at={lastUsedAt} now={now} />
                </>
              )}
              , ends <When at={expiresAt} now={now} />
            </span>
          </li>
        ))}
      </ul>
      {receipts.length > shownMax && (
        <More href="/dashboard/access?receipts=active#receipts">All receipts</More>
      )}
      {tokens.length > shownMax && <More href="/dashboard/connections">All connection tokens</More>}
    </>
  );
}

const shownMax = 10;

function More({ href, children }: { href: string; children: string }) {
  return (
    <p className="mt-2">
      <Link href={href} className="text-accent underline underline-offset-4">
        {children}
      </Link>
    </p>
  );
}

/** Named before it happens: all that a disconnection ends. */
export function endsOf({ agent, policies, receipts, tokens, requests }: AgentDossier): string[] {
  const grants = policies.filter(
    ({ agentPattern, origin }) =>
      agentPattern === agent.did && (origin === "consent" || origin === "token"),
  );
  const scopes = [...new Set(grants.flatMap(({ allow }) => allow))];
  return [
    ...(grants.length > 0
      ? [`${counted(grants.length, "grant")}: ${list(scopes.map(categoryTitle))}`]
      : []),
    ...(receipts.length > 0 ? [counted(receipts.length, "active receipt")] : []),
    ...(tokens.length > shownMax
      ? [counted(tokens.length, "connection token")]
      : tokens.map(
          ({ label, lastFour }) =>
            `The connection token${label === null ? "" : ` ${visibleText(label)}`} (…${lastFour})`,
        )),
    ...(requests > 0 ? [`${counted(requests, "request")} that waits for you`] : []),
  ];
}
