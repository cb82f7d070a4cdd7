import { templates } from "@/lib/rules/templates";
import { leftOut } from "@/lib/services/activity/activity-event";
import type { Ending } from "@/lib/services/connect/end-connection";
import { counted, list } from "../../../_components/words/list";
import { valueName } from "../../../_components/words/value-name";
import { adminEventWords } from "./admin-event-words";
import {
  answering,
  approving,
  inviting,
  lifting,
  of,
  quarantining,
  reopening,
  textIn,
} from "./deciding";
import { deedIn } from "./deed";
import { countOf, itemsWords, scopeWords, yourScopes } from "./items";
import { always, type EventFacts, purposeOf, type SentencePart, type VerbWords } from "./parts";

const readWords: VerbWords = { done: reading, tried: ({ asked }) => `read ${whatOf(asked)}` };

// One line per verb. A verb that only changes things of one kind uses `changes`.
export const verbWords: Readonly<Record<string, VerbWords>> = {
  getProfile: readWords,
  listMemories: readWords,
  listProposals: { done: listing, tried: () => "look up proposals" },
  requestAccess: {
    done: asking,
    tried: (event) =>
      `${event.detail.resume === true ? "be let in again, to " : ""}know ${yourScopes(event.asked)}`,
  },
  proposeMemory: {
    done: (event) => [`proposed ${memoryOf(event)}${viaOf(event.detail)}`],
    tried: (event) => `propose ${memoryOf(event)}`,
  },
  withdrawProposal: {
    done: (event) => ["took back a proposal", ...textIn(event)],
    tried: () => "take back a proposal",
  },
  askWhy: {
    done: (event) => ["asked ", event.about === null ? "an agent" : { agent: event.about }, " why"],
    tried: () => "ask an agent why",
  },
  answerWhy: always("answered your question", "answer your question"),
  followRequest: always("looked up its own request", "look up what became of its request"),
  reviewProposal: { done: reviewing, tried: () => "decide a proposal" },
  approveByRule: {
    done: (event) => ["approved a proposal", ...of(event), " by your rule", ...textIn(event)],
    tried: () => "approve a proposal by your rule",
  },
  reviewForOwner: { done: reviewing, tried: () => "decide a proposal" },
  editReviewers: { done: inviting, tried: () => "change who reviews" },
  answerInvitation: { done: answering, tried: () => "answer an invitation to review" },
  editApproving: { done: approving, tried: () => "change what is approved by itself" },
  reopenProposal: {
    done: reopening,
    tried: () => "take back the decision on a proposal",
  },
  liftRejection: {
    done: (event) => ["let an agent propose again what you rejected", ...of(event)],
    tried: () => "let an agent propose again what was rejected",
  },
  decideConsent: { done: deciding, tried: () => "answer an access request" },
  revokeAgent: { done: disconnecting, tried: () => "remove the access of an agent" },
  quarantineAgent: { done: quarantining, tried: () => "put an agent into quarantine" },
  liftQuarantine: { done: lifting, tried: () => "lift the quarantine of an agent" },
  restoreAccess: {
    done: (event) => ["gave back the access", ...of(event)],
    tried: () => "give back access that had ended",
  },
  editTokens: { done: tokens, tried: () => "change connection tokens" },
  editPolicies: { done: policies, tried: () => "change rules" },
  editKeys: changes("a signing key"),
  editMemories: changes("a memory"),
  restoreMemory: always("restored a memory", "restore a memory"),
  editProfile: { done: editing, tried: () => "change your profile" },
  createProfile: always("created this profile", "create this profile"),
  exportProfile: always("exported your profile", "export your profile"),
  importMemories: { done: importing, tried: () => "import memories" },
  importProfile: always("imported a profile", "import a profile"),
  deleteProfile: always("deleted this profile", "delete this profile"),
  seeAsAgent: {
    done: ({ about }) => [
      "looked at your profile as ",
      about === null ? "an agent" : { agent: about },
      " sees it",
    ],
    tried: () => "look at your profile as an agent sees it",
  },
  readActivity: { done: looking, tried: () => "read this log" },
  browseMemories: always("looked through your memories", "look through your memories"),
  ...adminEventWords,
};

/** A value is named; other changes of a profile are not. */
function editing({ detail }: EventFacts): SentencePart[] {
  const { name } = detail;
  const deed = deedIn(detail);
  if (deed === null || typeof name !== "string") return ["changed your profile"];
  return [`${deed} “${valueName(name)}” in your profile`];
}

function importing({ detail }: EventFacts): SentencePart[] {
  if ("undone" in detail) return ["undid an import of memories"];
  const { waiting } = detail;
  const count = typeof waiting === "number" ? counted(waiting, "memory", "memories") : "memories";
  return [`imported ${count} into the inbox`];
}

/** A thing of the owner's; which change it was stands in the event's detail. */
function changes(thing: string): VerbWords {
  return {
    done: ({ detail }) => [`${deedIn(detail) ?? "changed"} ${thing}`],
    tried: () => `change ${thing}`,
  };
}

function reading({ items, denied, purposeType, detail }: EventFacts): SentencePart[] {
  const not = denied.length === 0 ? "" : `, but not ${yourScopes(denied)}`;
  if (countOf(items) === 0)
    return [`looked at your profile${viaOf(detail)} and found nothing that it may read${not}`];
  const what = `read ${itemsWords(items, leftOut({ detail }))}${viaOf(detail)}`;
  return [what, ...purposeOf({ purposeType }), not];
}

function viaOf({ via }: EventFacts["detail"]): string {
  return via === "mcp" ? " through MCP" : "";
}

function listing({ detail: { proposals }, actor }: EventFacts): SentencePart[] {
  const whose = actor === "owner" ? "of what agents proposed" : "of its own proposals";
  return [
    `looked up ${typeof proposals === "number" ? counted(proposals, "line") : "a list"} ${whose}`,
  ];
}

function asking(event: EventFacts): SentencePart[] {
  const { asked, granted, denied } = event;
  const got =
    denied.length === 0 ? "granted" : `got ${scopeWords(granted)}, not ${scopeWords(denied)}`;
  return [`asked to know ${yourScopes(asked)}`, ...purposeOf(event), `: ${got}`];
}

function memoryOf(event: EventFacts): string {
  return `a memory about your ${scopeWords(event.asked)}`;
}

function reviewing(event: EventFacts): SentencePart[] {
  const { detail } = event;
  const changed = detail.edited === true ? ", with changes" : "";
  return [`${deedIn(detail) ?? "decided"} a proposal`, ...of(event), changed, ...textIn(event)];
}

const choices: Record<string, string> = {
  once: ", once",
  "1d": ", for a day",
  "7d": ", for a week",
  "30d": ", for 30 days",
  until_revoked: ", until you take it back",
};

function deciding(event: EventFacts): SentencePart[] {
  const { granted, denied, detail } = event;
  const agent = event.about === null ? "an agent" : { agent: event.about };
  if (granted.length === 0) {
    return ["refused ", agent, ` ${yourScopes(denied)}`, ...purposeOf(event)];
  }
  const how = typeof detail.choice === "string" ? (choices[detail.choice] ?? "") : "";
  const not = denied.length === 0 ? "" : `, but not ${scopeWords(denied)}`;
  return ["let ", agent, ` know ${yourScopes(granted)}`, ...purposeOf(event), `${how}${not}`];
}

function disconnecting({ about, detail }: EventFacts): SentencePart[] {
  const ended = [
    ["policies", "grant"],
    ["receipts", "receipt"],
    ["tokens", "token"],
    ["requests", "request"],
  ].flatMap(([key = "", word = ""]) => {
    const count = Number(detail[key] ?? 0);
    return count > 0 ? [counted(count, word)] : [];
  });
  const rejected = Number(detail.proposals ?? 0);
  const what = [
    ...(ended.length === 0 ? [] : [`, which ended ${list(ended)}`]),
    ...(rejected === 0 ? [] : [`, and rejected ${counted(rejected, "proposal")}`]),
  ].join("");
  return [
    detail.blocked === true ? "blocked " : "removed the access of ",
    about === null ? "an agent" : { agent: about },
    what,
  ];
}

function tokens(event: EventFacts): SentencePart[] {
  const { detail, granted, about } = event;
  if (detail.connects === true) return connecting(event);
  if (granted.length === 0)
    return [`${deedIn(detail) ?? "changed"} a connection token`, ...of(event)];
  const whom = about === null ? [] : [" to ", { agent: about }];
  return ["issued a connection token", ...whom, ` for ${yourScopes(granted)}`];
}

/** Of a client that came by the gateway's address. */
function connecting({ detail, granted, denied, about }: EventFacts): SentencePart[] {
  const agent = about === null ? "an agent" : { agent: about };
  if (detail.revoked === true) return ["ended the connection of ", agent, endedBecause(detail)];
  if (granted.length === 0)
    return ["refused to connect ", agent, `, which asked for ${yourScopes(denied)}`];
  return ["connected ", agent, ` and let it know ${yourScopes(granted)}`];
}

function endedBecause({ because }: EventFacts["detail"]): string {
  return endings.find(([ending]) => ending === because)?.[1] ?? "";
}

const endings: [Ending, string][] = [
  ["client", ", as its program asked for"],
  ["reused", ", as a code or token of it came twice: another party may have had it"],
  ["unused", ", as nothing used it"],
];

function policies({ detail }: EventFacts): SentencePart[] {
  if (detail.everythingOff === true) return ["switched everything off for all agents"];
  const name = detail.template;
  if (typeof name !== "string") return [`${deedIn(detail) ?? "changed"} a rule`];
  const known = Object.entries(templates).find(([template]) => template === name)?.[1];
  return [`applied the rules “${known?.title ?? name}”`];
}

function looking({ detail }: EventFacts): SentencePart[] {
  if (typeof detail.exported !== "string") return ["read this log"];
  const count = typeof detail.events === "number" ? `${counted(detail.events, "event")} of ` : "";
  return [`exported ${count}this log as ${detail.exported.toUpperCase()}`];
}

function whatOf(scopes: readonly string[]): string {
  return scopes.length === 0 ? "your profile" : yourScopes(scopes);
}
