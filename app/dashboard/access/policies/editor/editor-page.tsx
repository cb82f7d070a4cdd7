import type { ReactNode } from "react";
import type { Values } from "@/app/_components/pickers/values";
import { knownPurposeTypes, knownRetentions } from "@/lib/protocol/resources";
import { everyAgent } from "@/lib/rules/facts";
import type { NamedAgent } from "@/lib/services/access/named-agent";
import type { Ctx } from "@/lib/services/context";
import { listKnownAgents } from "@/lib/services/policies/known-agents";
import { listKnownCategories } from "@/lib/services/policies/known-categories";
import type { ListedPolicy } from "@/lib/services/policies/list";
import type { Option } from "../../../../_components/forms/fields/options";
import { agentChoices, categoryChoices } from "../../../../_components/pickers/choices";
import type { ListChoice } from "../../../../_components/pickers/list-picker";
import { readerZone } from "../../../../_components/shell/reader-zone";
import { counted, fittingCount } from "../../../../_components/words/list";
import { purposeWord, retentionWord } from "../../../../_components/words/purpose";
import { dayWords } from "../../../../_components/words/time";
import { pickedValues } from "../../../picked";
import { Editor } from "./editor";

interface EditorPageProps {
  ctx: Ctx;
  did: string;
  /** Null for a new one. */
  policy: ListedPolicy | null;
  /** The head of the page. */
  children: ReactNode;
}

/** The editor with what can be chosen in it: this profile's own agents and categories. */
export async function EditorPage({ ctx, did, policy, children }: EditorPageProps) {
  const [agents, known, zone] = await Promise.all([
    listKnownAgents(ctx, did),
    listKnownCategories(ctx, did),
    readerZone(),
  ]);
  const own = [...(policy?.allow ?? []), ...(policy?.deny ?? [])];
  const ownCount = fittingCount(own, { of: ({ length }) => length, max: ownMax });
  const categories = categoryChoices(known, ["prof:*", ...own.slice(0, ownCount)]);
  const purposes = knownPurposeTypes.map(purposeChoice);
  const listed = new Set([...categories, ...purposes].map(({ value }) => value));
  return (
    <Editor
      initial={policy === null ? {} : initialValues(policy, listed)}
      edited={policy ? { policyId: policy.id, shownAs: policy.updatedAt.toISOString() } : undefined}
      agents={[...many, ...agentChoices(withOwn(agents, policy))]}
      categories={categories}
      purposes={purposes}
      retentions={[
        ["", "as long as they like"],
        ...retentionsFor(policy).map((value): Option => [value, keptWords(value)]),
      ]}
      receiptLives={receiptLivesFor(policy)}
      ends={[
        ["day", "until a day of my choice"],
        ["never", "until I end it"],
        ...(policy?.expiresAt ? [kept(policy.expiresAt, zone)] : []),
      ]}
    >
      {children}
    </Editor>
  );
}

/** In characters: the categories of a rule that are ticked; further ones are typed. */
const ownMax = 2_000;

function purposeChoice(value: string): ListChoice {
  const { text, note } = purposeWord(value);
  const words = text.toLowerCase();
  return { value, words, title: text, note: note === null ? undefined : `To ${note}` };
}

const many: readonly Option[] = [
  ["all", "All agents"],
  ["verified", "Verified agents"],
  ["pattern", "Agents that fit a pattern"],
];

function kept(expiresAt: Date, zone: string): Option {
  return [expiresAt.toISOString(), `until ${dayWords(expiresAt, zone)}, as it is`];
}

// The request behind a rule may name a retention that is not one of the known ones.
function retentionsFor(policy: ListedPolicy | null): string[] {
  const own = policy?.maxRetention ?? null;
  return [...new Set(own === null ? knownRetentions : [...knownRetentions, own])];
}

function keptWords(retention: string): string {
  if (retention === "session_only") return "for one session only";
  if (retention === "indefinite") return "as long as they say";
  const { text, recognised } = retentionWord(retention);
  return recognised ? `${text.toLowerCase()} at most` : `“${text}”`;
}

function receiptLivesFor(policy: ListedPolicy | null): Option[] {
  const own = policy?.receiptSeconds ?? null;
  const lives = [...new Set([3_600, 4 * 3_600, 8 * 3_600, ...(own === null ? [] : [own])])];
  return [
    ["", "It asks again after 24 hours at most"],
    ...lives
      .sort((one, other) => one - other)
      .map((seconds): Option => [String(seconds), `It asks again after ${lifeWords(seconds)}`]),
  ];
}

function lifeWords(seconds: number): string {
  return seconds < 3_600
    ? counted(Math.max(1, Math.round(seconds / 60)), "minute")
    : counted(Math.round(seconds / 360) / 10, "hour");
}

// The agent of the rule itself, though it may be suspended or gone.
function withOwn(agents: NamedAgent[], policy: ListedPolicy | null): NamedAgent[] {
  const own = policy?.agent ?? null;
  return own === null ? agents : [own, ...agents.filter(({ did }) => did !== own.did)];
}

/** A policy as its form shows it, where these categories and purposes are listed. */
export function initialValues(policy: ListedPolicy, listed: ReadonlySet<string>): Values {
  const { agentPattern, verifiedOnly, maxRetention, receiptSeconds, expiresAt } = policy;
  const agent = agentOf(policy);
  const deed = deedOf(policy);
  const isNever = deed === "never";
  return {
    agent,
    pattern: agent === "pattern" ? agentPattern : "",
    ...(verifiedOnly ? { whileVerified: "on" } : {}),
    deed,
    ...pickedValues("scope", isNever ? policy.deny : policy.allow, listed),
    ...pickedValues("except", isNever ? [] : policy.deny, listed),
    ...pickedValues("purpose", policy.purposes, listed),
    maxRetention: maxRetention ?? "",
    receiptSeconds: receiptSeconds === null ? "" : String(receiptSeconds),
    until: expiresAt?.toISOString() ?? "never",
  };
}

function agentOf({ agentPattern, verifiedOnly }: ListedPolicy): string {
  if (agentPattern === everyAgent) return verifiedOnly ? "verified" : "all";
  return agentPattern.includes("*") ? "pattern" : agentPattern;
}

function deedOf({ allow, permissions }: ListedPolicy): string {
  const [one, ...others] = permissions;
  if (allow.length === 0 || one === undefined) return "never";
  return others.length > 0 ? "both" : one;
}
