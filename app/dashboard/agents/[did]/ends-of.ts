import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import type { IconName } from "../../../_components/icon";
import { categoryWords } from "../../../_components/words/category";
import { visibleText } from "../../../_components/words/inert";
import { counted, list } from "../../../_components/words/list";
import { type ReaderClock, untilWords } from "../../../_components/words/time";
import { letInFrom } from "../../connections/token-name";

export interface End {
  icon: IconName;
  words: string;
}

const tokensNamed = 5;

/** Names all that removing its access ends, before it happens. */
export function endsOf(
  {
    grants,
    receipts,
    tokens,
    requests,
  }: Pick<AgentDossier, "grants" | "receipts" | "tokens" | "requests">,
  clock: ReaderClock,
): End[] {
  const scopes = [...new Set(grants.flatMap((grant) => grant.scopes))].map(categoryWords);
  const [first, ...others] = grants;
  const until = others.length === 0 ? (first?.expiresAt ?? null) : null;
  const end = until === null ? "" : ` ${untilWords(until, clock)}`;
  const ends: (End | false)[] = [
    grants.length > 0 && {
      icon: "handshake",
      words: `${counted(grants.length, "grant")}, ${list(scopes)}${end}`,
    },
    receipts.length > 0 && { icon: "eye-slash", words: counted(receipts.length, "active receipt") },
    tokens.length > 0 && { icon: "ticket", words: tokensWords(tokens) },
    requests > 0 && {
      icon: "hand",
      words: counted(requests, "request that waits for you", "requests that wait for you"),
    },
  ];
  return ends.filter((one) => one !== false);
}

function tokensWords(tokens: AgentDossier["tokens"]): string {
  const names = tokens.map(({ label, lastFour }) => {
    if (lastFour === null) return label === null ? "" : `${letInFrom}${visibleText(label)}`;
    const end = [label === null ? `…${lastFour}` : `(…${lastFour})`];
    return [...(label === null ? [] : [`“${visibleText(label)}”`]), ...end].join(" ");
  });
  const isIssued = tokens.some(({ lastFour }) => lastFour !== null);
  const count = counted(tokens.length, isIssued ? "connection token" : "connection");
  return tokens.length > tokensNamed ? count : `${count}, ${list(names)}`;
}
