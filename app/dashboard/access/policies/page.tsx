import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { profileContext } from "@/lib/http/session/page";
import { effectOfPolicies } from "@/lib/services/policies/effect";
import { type ListedPolicy, listPolicies } from "@/lib/services/policies/list";
import { ButtonLink } from "../../../_components/button";
import { Form } from "../../../_components/forms/form";
import { single } from "../../query";
import { changeAction } from "./actions";
import { PolicyRow } from "./list/policy-row";
import { TemplateChoice } from "./list/template-choice";
import { PolicyId, Template } from "./schemas";

export const metadata: Metadata = { title: "Policies" };

interface PoliciesPageProps {
  searchParams: Promise<Record<"saved" | "template", string | string[] | undefined>>;
}

export default async function PoliciesPage({ searchParams }: PoliciesPageProps) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const { did } = profile;
  const saved = PolicyId.safeParse(single(query.saved)).data;
  const template = Template.safeParse(single(query.template)).data;
  const [{ standing, ended }, effect] = await Promise.all([
    listPolicies(ctx, did),
    template && effectOfPolicies(ctx, { did, change: { kind: "template", template } }),
  ]);
  const rows = (policies: readonly ListedPolicy[]) =>
    policies.map((policy) => (
      <PolicyRow key={policy.id} policy={policy} now={ctx.now} isSaved={policy.id === saved} />
    ));
  const of = (origin: ListedPolicy["origin"]) => standing.filter((one) => one.origin === origin);
  return (
    <div className="flex flex-col gap-10">
      <Heading />
      <Form action={changeAction} className="flex flex-col gap-10">
        <Rules title="Your own rules" empty="None yet. A rule of yours stands beside the template.">
          {rows(of("owner"))}
        </Rules>
        <Rules
          title="From a template"
          hint="A template is where a profile starts from. It changes as a whole."
          empty="No rule: to read what no other rule opens, an agent has to ask you."
          before={
            <TemplateChoice
              standing={of("template")}
              chosen={template && effect ? { template, effect } : null}
            />
          }
        >
          {rows(of("template"))}
        </Rules>
        <Rules
          title="From your consent"
          hint="What you granted an agent that asked. To widen it, let it ask again."
          empty="None. When you grant what an agent asks for, the rule stands here."
        >
          {rows(of("consent"))}
        </Rules>
        <Rules
          title="From connection tokens"
          hint="Each token comes with a rule for what it may reach. Removing it leaves the token with nothing of its own."
          empty="None. A token that you issue under Connections brings its rule here."
        >
          {rows(of("token"))}
        </Rules>
        {ended.length > 0 && <Ended>{rows(ended)}</Ended>}
      </Form>
    </div>
  );
}

function Heading() {
  return (
    <header className="flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0 flex-1 basis-80">
        <h1 className="text-2xl font-semibold tracking-tight">Policies</h1>
        <p className="mt-1 text-muted">
          The rules by which agents read and propose. “Never” wins over every “may”; to read what no
          rule opens,{" "}
          <Link href="/dashboard/access" className="text-accent underline underline-offset-4">
            an agent has to ask you
          </Link>
          .
        </p>
      </div>
      <ButtonLink href="/dashboard/access/policies/new">New rule</ButtonLink>
    </header>
  );
}

interface RulesProps {
  title: string;
  hint?: string;
  empty: string;
  before?: ReactNode;
  children: ReactNode[];
}

function Rules({ title, hint, empty, before, children }: RulesProps) {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div>
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {hint !== undefined && <p className="mt-1 text-muted">{hint}</p>}
      </div>
      {before}
      {children.length === 0 ? (
        <p className="rounded-box border border-dashed border-edge/60 px-4 py-5 text-center text-muted">
          {empty}
        </p>
      ) : (
        <List>{children}</List>
      )}
    </section>
  );
}

function Ended({ children }: { children: ReactNode[] }) {
  return (
    <details>
      <summary className="flex min-h-10 items-center text-base font-semibold">
        Ended lately ({children.length})
      </summary>
      <div className="mt-2">
        <List>{children}</List>
      </div>
    </details>
  );
}

function List({ children }: { children: ReactNode[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line overflow-hidden rounded-box border border-line bg-surface shadow-raised">
      {children}
    </ul>
  );
}
