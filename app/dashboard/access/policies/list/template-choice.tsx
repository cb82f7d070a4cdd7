import Link from "next/link";
import { type TemplateName, templates } from "@/lib/rules/templates";
import type { Ctx } from "@/lib/services/context";
import type { ListedPolicy } from "@/lib/services/policies/list";
import { rulesAddress } from "../schemas";
import { Chosen } from "./chosen";

interface TemplateChoiceProps {
  /** The rules of a template that are in force. */
  standing: ListedPolicy[];
  /** The one that is looked at, before it is used. */
  chosen: TemplateName | undefined;
  of: { ctx: Ctx; did: string };
}

const names: TemplateName[] = ["private", "balanced", "open"];

/** Where a profile starts from: one click to look at each, one more to use it. */
export function TemplateChoice({ standing, chosen, of }: TemplateChoiceProps) {
  return (
    <section aria-labelledby="template" className="flex flex-col gap-3">
      <div>
        <h2 id="template" className="font-semibold">
          Templates
        </h2>
        <p className="text-small text-muted">
          Where a profile starts from. A template takes the place of the one in use; your own rules,
          grants and tokens stay.
        </p>
      </div>
      <ul className="grid gap-3 md:grid-cols-3" aria-label="Templates">
        {names.map((name) => (
          <Template
            key={name}
            name={name}
            isCurrent={isTemplate(name, standing)}
            isChosen={chosen === name}
          />
        ))}
      </ul>
      {chosen !== undefined && !isTemplate(chosen, standing) && (
        <Chosen
          {...of}
          title={`${templates[chosen].title} instead of the template in use`}
          policies={templates[chosen].policies}
          change={{ kind: "template", template: chosen }}
          submit={{ name: "template", value: chosen, words: `Use ${templates[chosen].title}` }}
        />
      )}
    </section>
  );
}

interface TemplateProps {
  name: TemplateName;
  isCurrent: boolean;
  isChosen: boolean;
}

function Template({ name, isCurrent, isChosen }: TemplateProps) {
  const { title, summary } = templates[name];
  return (
    <li className="relative flex flex-col box px-4 py-3 has-[a[aria-current]]:border-ink">
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-2 font-medium">
        {title}
        {isCurrent && <span className="text-small font-medium text-ink">In use</span>}
      </h3>
      <p className="mt-1 text-small text-muted">{summary}</p>
      {!isCurrent && (
        <Link
          prefetch={false}
          scroll={false}
          href={`${rulesAddress.href({ template: name })}#template`}
          aria-current={isChosen ? "true" : undefined}
          className="mt-auto pt-2 font-medium text-ink after:absolute after:inset-0 aria-[current=true]:underline"
        >
          See what it changes<span className="sr-only"> with {title}</span>
        </Link>
      )}
    </li>
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
