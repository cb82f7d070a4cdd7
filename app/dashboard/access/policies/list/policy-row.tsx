import Link from "next/link";
import type { Behind, ListedPolicy } from "@/lib/services/policies/list";
import { Badge } from "../../../../_components/badge";
import { Menu, MenuWords, menuDanger, menuItem } from "../../../../_components/menu";
import { When } from "../../../../_components/shown/when";
import { visibleText } from "../../../../_components/words/inert";
import type { ReaderClock } from "../../../../_components/words/time";
import { TokenName, tokenKind } from "../../../connections/token-name";
import { policySentence } from "../../../policy-sentence";
import { heldWords } from "../../request/words/grant-words";
import { requestHref } from "../../schemas";
import { PolicySentence } from "./sentence";

interface PolicyRowProps {
  policy: ListedPolicy;
  behind: Behind;
  /** Null where that is not known. */
  usedAt: Date | null;
  clock: ReaderClock;
  isSaved: boolean;
}

/** One rule: what it says, what stands behind it, and its actions. */
export function PolicyRow({ policy, behind, usedAt, clock, isSaved }: PolicyRowProps) {
  const { now, zone } = clock;
  const { id, enabled, expiresAt } = policy;
  const isOver = expiresAt !== null && expiresAt <= now;
  const isOff = !enabled || isOver;
  const sentence = visibleText(policySentence(policy, zone));
  return (
    <li
      id={id}
      className={`flex scroll-mt-6 items-start gap-3 py-3 pr-2 pl-4 ${isSaved ? "bg-sunken" : ""}`}
      aria-current={isSaved ? "true" : undefined}
    >
      {!isOver && <Switch policy={policy} sentence={sentence} />}
      <div className="min-w-0 flex-1">
        <p className={`text-lead ${isOff ? "text-muted" : ""}`}>
          <PolicySentence policy={policy} zone={zone} /> {!enabled && <Badge>Off</Badge>}
        </p>
        <p className="text-small text-muted">
          {isOver ? "Ended " : behindWords(policy, behind)}
          {isOver && <When at={expiresAt} now={now} />}
          {usedAt !== null && (
            <>
              {" · used "}
              <When at={usedAt} now={now} />
            </>
          )}
          {" · "}
          <Origin policy={policy} now={now} />
        </p>
        {isSaved && (
          <div className="mt-1 flex items-center gap-3">
            <Badge>Saved</Badge>
            <button
              type="submit"
              name="undo"
              value={id}
              className="min-h-11 link font-medium rail:min-h-6"
            >
              Undo
            </button>
          </div>
        )}
      </div>
      <Menu label={`More about: ${sentence}`}>
        <Acts policy={policy} />
      </Menu>
    </li>
  );
}

/** Why a rule is there. */
function Origin({ policy, now }: { policy: ListedPolicy; now: Date }) {
  const { origin, createdAt, updatedAt, consent, token } = policy;
  if (origin === "owner") {
    const isChanged = updatedAt.getTime() - createdAt.getTime() > 1_000;
    return (
      <>
        {isChanged ? "you changed it " : "you wrote it "}
        <When at={isChanged ? updatedAt : createdAt} now={now} />
      </>
    );
  }
  if (origin === "template") return "from the template";
  if (origin === "quarantine") return "while it is in quarantine";
  if (origin === "consent") {
    return (
      <>
        you granted{" "}
        {consent === null ? (
          "it "
        ) : (
          <Link prefetch={false} href={requestHref(consent.id)} className="link">
            its request
          </Link>
        )}{" "}
        <When at={consent?.decidedAt ?? createdAt} now={now} />
      </>
    );
  }
  return token === null ? (
    "from a connection token, which is gone"
  ) : (
    <>
      from the {tokenKind(token)} <TokenName {...token} />
      {!token.isLive && ", which has ended"}
    </>
  );
}

function Switch({ policy: { id, enabled }, sentence }: { policy: ListedPolicy; sentence: string }) {
  return (
    <button
      type="submit"
      role="switch"
      aria-checked={enabled}
      aria-label={`Rule: ${sentence}`}
      name={enabled ? "off" : "on"}
      value={id}
      className="switch after:absolute after:inset-x-0 after:-inset-y-2.5"
    />
  );
}

/** "412 memories and 3 values, and what is added later" */
export function behindWords(
  { allow, permissions, enabled, expiresAt }: ListedPolicy,
  { closedBy, ...counts }: Behind,
): string {
  const words = counts.memories + counts.values === 0 ? "Nothing yet" : heldWords(counts);
  if (allow.length === 0 || permissions.length === 0 || !enabled) return `${words} behind it`;
  if (!permissions.includes("read")) return "Nothing is kept before it is approved";
  if (closedBy === "rule") return "Another rule keeps all of it closed";
  if (closedBy === "agent") return "Its agent may read none of it";
  return `${words}, and what is added ${expiresAt === null ? "later" : "until then"}`;
}

function Acts({ policy: { id, origin } }: { policy: ListedPolicy }) {
  return (
    <>
      {origin === "owner" && (
        <Link href={`/dashboard/access/policies/${id}`} prefetch={false} className={menuItem}>
          <MenuWords icon="pencil-simple">Edit</MenuWords>
        </Link>
      )}
      <button type="submit" name="remove" value={id} className={menuDanger}>
        <MenuWords icon="trash">Remove</MenuWords>
      </button>
    </>
  );
}
