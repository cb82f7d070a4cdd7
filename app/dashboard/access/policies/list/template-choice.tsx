import Link from "next/link";
import { type TemplateName, templates } from "@/lib/rules/templates";
import type { PolicyEffect } from "@/lib/services/policies/effect";
import type { ListedPolicy } from "@/lib/services/policies/list";
import { ButtonLink } from "../../../../_components/button";
import { SubmitButton } from "../../../../_components/forms/form";
import { Effect } from "../effect/effect";
import { effectView } from "../effect/effect-view";
import { PolicySentence } from "./sentence";

interface TemplateChoiceProps {
  /** The rules of a template that are in force. */
  standing: ListedPolicy[];
  /** The one that is looked at, before it is used. */
  chosen: { template: TemplateName; effect: PolicyEffect } | null;
}

const names: TemplateName[] = ["private", "balanced", "open"];

/** Where a profile starts from: one click to look at each, one more to use it. */
export function TemplateChoice({ standing, chosen }: TemplateChoiceProps) {
  return (
    <div className="flex flex-col gap-4" id="template">
      <ul className="grid gap-3 md:grid-cols-3" aria-label="Templates">
        {names.map((name) => {
          const { title, summary } = templates[name];
          const isCurrent = isTemplate(name, standing);
          return (
            <li
              key={name}
              className="relative flex flex-col rounded-box border border-line bg-surface px-4 py-3 shadow-raised has-[a[aria-current]]:border-accent"
            >
              <h3 className="flex flex-wrap items-baseline justify-between gap-x-2 font-medium">
                {title}
                {isCurrent && <span className="text-xs font-medium text-accent">In use</span>}
              </h3>
              <p className="mt-1 text-xs text-muted">{summary}</p>
              {!isCurrent && (
                <Link
                  prefetch={false}
                  scroll={false}
                  href={`/dashboard/access/policies?template=${name}#template`}
                  aria-current={chosen?.template === name ? "true" : undefined}
                  className="mt-auto pt-2 font-medium text-accent after:absolute after:inset-0"
                >
                  See what it changes<span className="sr-only"> with {title}</span>
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {chosen !== null && !isTemplate(chosen.template, standing) && <Chosen {...chosen} />}
    </div>
  );
}

function Chosen({ template, effect }: { template: TemplateName; effect: PolicyEffect }) {
  const { title, policies } = templates[template];
  const keyed = policies.map((policy, place) => ({ policy, place }));
  return (
    <section
      aria-labelledby="chosen-template"
      className="flex flex-col gap-4 rounded-box border border-accent bg-sunken p-4 sm:p-5"
    >
      <h3 id="chosen-template" className="font-medium">
        {title} instead of the template in use
      </h3>
      <ul className="list-disc pl-5">
        {keyed.map(({ policy, place }) => (
          <li key={place}>
            <PolicySentence policy={policy} />
          </li>
        ))}
        {policies.length === 0 && <li>No rule: to read anything, every agent has to ask you.</li>}
      </ul>
      <p className="text-muted">Your own rules, grants and tokens stay. What would change:</p>
      <Effect view={effectView(effect)} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton name="template" value={template}>
          Use {title}
        </SubmitButton>
        <ButtonLink look="quiet" href="/dashboard/access/policies" scroll={false}>
          Keep what I have
        </ButtonLink>
      </div>
    </section>
  );
}

function isTemplate(name: TemplateName, standing: readonly ListedPolicy[]): boolean {
  const summaryOf = (
    all: readonly Pick<ListedPolicy, "allow" | "permissions" | "verifiedOnly">[],
  ) =>
    all
      .map(({ allow, permissions, verifiedOnly }) =>
        JSON.stringify([allow, permissions, verifiedOnly]),
      )
      .sort()
      .join();
  return summaryOf(standing) === summaryOf(templates[name].policies);
}
