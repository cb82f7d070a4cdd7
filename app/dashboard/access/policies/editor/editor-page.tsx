import { knownPurposeTypes, knownRetentions } from "@/lib/protocol/resources";
import type { NamedAgent } from "@/lib/services/access/named-agent";
import type { Ctx } from "@/lib/services/context";
import { listKnownAgents } from "@/lib/services/policies/known-agents";
import { listKnownCategories } from "@/lib/services/policies/known-categories";
import type { ListedPolicy } from "@/lib/services/policies/list";
import { agentLabel } from "../../../../_components/shown/agent-name";
import { categoryTitle, isSensitive } from "../../../../_components/words/category";
import { visibleText } from "../../../../_components/words/inert";
import { fittingCount } from "../../../../_components/words/list";
import { purposeWord, retentionWord } from "../../../../_components/words/purpose";
import { dayWords } from "../../../../_components/words/time";
import { Editor } from "./editor";
import type { Choice } from "./fields";
import { blank, initialValues } from "./initial-values";

interface EditorPageProps {
  ctx: Ctx;
  did: string;
  /** Null for a new one. */
  policy: ListedPolicy | null;
}

/** The editor with what can be chosen in it: this profile's own agents and categories. */
export async function EditorPage({ ctx, did, policy }: EditorPageProps) {
  const [knownAgents, known] = await Promise.all([
    listKnownAgents(ctx, did),
    listKnownCategories(ctx, did),
  ]);
  const all = withOwn(knownAgents, policy);
  const agents = all.slice(0, fittingCount(all, { of: sizeOf, max: agentsMax }));
  const own = [...(policy?.allow ?? []), ...(policy?.deny ?? [])];
  const others = [...new Set([...known, ...own])].filter((scope) => scope !== "prof:*");
  return (
    <Editor
      initial={policy === null ? blank : initialValues(policy)}
      edited={policy ? { policyId: policy.id, shownAs: policy.updatedAt.toISOString() } : undefined}
      agentCount={all.length}
      agents={agents.map(({ did: value, name, verified }) => ({
        did: value,
        text: `${visibleText(agentLabel({ did: value, name }))} (${verified ? "verified" : "not verified"})`,
      }))}
      categories={[choiceOf("prof:*"), ...others.map(choiceOf).sort(byTitle)]}
      purposes={[...new Set([...knownPurposeTypes, ...(policy?.purposes ?? [])])].map((value) => {
        const { text, note } = purposeWord(value);
        return { value, title: text, note: note === null ? undefined : `To ${note}` };
      })}
      retentions={[
        { value: "", text: "However long" },
        ...retentionsFor(policy).map((value) => ({ value, text: retentionWord(value).text })),
      ]}
      kept={policy?.expiresAt ? dayWords(policy.expiresAt) : null}
    />
  );
}

// The request behind a rule may name a retention that is not one of the known ones.
function retentionsFor(policy: ListedPolicy | null): string[] {
  const own = policy?.maxRetention ?? null;
  return [...new Set(own === null ? knownRetentions : [...knownRetentions, own])];
}

// The agent of the rule itself, though it may be suspended or gone.
function withOwn(agents: NamedAgent[], policy: ListedPolicy | null): NamedAgent[] {
  const own = policy?.agent ?? null;
  return own === null ? agents : [own, ...agents.filter(({ did }) => did !== own.did)];
}

/** In characters; a further agent is named by its DID as the pattern. */
const agentsMax = 3_000;

function sizeOf({ did, name }: NamedAgent): number {
  return did.length + (name?.length ?? 0);
}

function byTitle(one: Choice, other: Choice): number {
  return one.title.localeCompare(other.title, "en");
}

function choiceOf(scope: string): Choice {
  const isAll = scope === "prof:*";
  return {
    value: scope,
    title: categoryTitle(scope),
    ...(isAll ? { note: "Sensitive categories too" } : { sensitive: isSensitive(scope) }),
  };
}
