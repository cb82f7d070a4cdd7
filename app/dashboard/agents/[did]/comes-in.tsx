import type { ReactNode } from "react";
import type { AgentDossier, AgentKey } from "@/lib/services/agents/known/find-known";
import { Icon, type IconName } from "../../../_components/icon";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { TextLink } from "../../../_components/text-link";
import { categoryWords } from "../../../_components/words/category";
import { list } from "../../../_components/words/list";
import { purposeWords } from "../../../_components/words/purpose";
import { TokenName, tokenKind } from "../../connections/token-name";

interface ComesInProps {
  dossier: Pick<AgentDossier, "keys" | "tokens" | "receipts">;
  now: Date;
}

const shownMax = 10;

/** Its keys, tokens and receipts, as they are now. */
export function ComesIn({ dossier: { keys, tokens, receipts }, now }: ComesInProps) {
  if (keys.length + tokens.length + receipts.length === 0) return null;
  return (
    <section aria-labelledby="comes-in">
      <h2 id="comes-in" className="mb-1.5 text-lead font-semibold">
        How it comes in
      </h2>
      <ul className="divide-y divide-line box">
        {keys.slice(0, shownMax).map((key) => (
          <Row key={key.id} icon="key" aside={<KeyTimes signing={key} now={now} />}>
            A key of its own
          </Row>
        ))}
        {tokens.slice(0, shownMax).map(({ id, expiresAt, lastUsedAt, ...token }) => (
          <Row
            key={id}
            icon={token.lastFour === null ? "plugs-connected" : "ticket"}
            aside={
              <>
                {lastUsedAt === null ? "not used yet" : <When at={lastUsedAt} now={now} />}, ends{" "}
                <When at={expiresAt} now={now} />
              </>
            }
          >
            <TextLink href={`/dashboard/connections#${id}`}>A {tokenKind(token)}</TextLink>{" "}
            <TokenName {...token} />
          </Row>
        ))}
        {receipts.slice(0, shownMax).map(({ id, scopes, purposeType, expiresAt }) => (
          <Row
            key={id}
            icon="handshake"
            aside={
              <>
                ends <When at={expiresAt} now={now} />
              </>
            }
          >
            <TextLink href="/dashboard/access?receipts=active#receipts">A receipt</TextLink> for{" "}
            {list(scopes.map(categoryWords))}: <InertText text={purposeWords(purposeType)} />
          </Row>
        ))}
      </ul>
    </section>
  );
}

function KeyTimes({ signing, now }: { signing: AgentKey; now: Date }) {
  const { addedAt, revokedAt, isByAdmin } = signing;
  return (
    <>
      {isByAdmin ? "added by an admin" : "added"} <When at={addedAt} now={now} />
      {revokedAt !== null && (
        <>
          , revoked <When at={revokedAt} now={now} />
        </>
      )}
    </>
  );
}

interface RowProps {
  icon: IconName;
  aside: ReactNode;
  children: ReactNode;
}

function Row({ icon, aside, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-2.5 px-3 py-2.5">
      <Icon icon={icon} />
      <span className="min-w-0 flex-1 basis-56 wrap-anywhere">{children}</span>
      <span className="text-small text-muted max-rail:pl-7.5">{aside}</span>
    </li>
  );
}
