import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { profileContext } from "@/lib/http/session/page";
import { effectOfPolicies } from "@/lib/services/policies/effect";
import { type ListedPolicy, listPolicies } from "@/lib/services/policies/list";
import { ButtonLink } from "../../../_components/button";
import { Form } from "../../../_components/forms/form";
import { Pages } from "../../../_components/lists/pages";
import { firstParam } from "../../query";
import { changeAction } from "./actions";
import { PolicyRow } from "./list/policy-row";
import { TemplateChoice } from "./list/template-choice";
import { PolicyId, Template } from "./schemas";

export const metadata: Metadata = { title: "Policies" };

interface PoliciesPageProps {
  searchParams: Promise<Record<"from" | "saved" | "template", string | string[] | undefined>>;
}

export default async function PoliciesPage({ searchParams }: PoliciesPageProps) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const { did } = profile;
  const saved = PolicyId.safeParse(firstParam(query.saved)).data;
  const from = PolicyId.safeParse(firstParam(query.from)).data ?? saved;
  const template = Template.safeParse(firstParam(query.template)).data;
  const [{ standing, ended }, effect] = await Promise.all([
    listPolicies(ctx, did),
    template && effectOfPolicies(ctx, { did, change: { kind: "template", template } }),
  ]);
  const of = (origin: ListedPolicy["origin"]) => standing.filter((one) => one.origin === origin);
  const rows = (policies: readonly ListedPolicy[]) => ({ policies, from, saved, now: ctx.now });
  return (
    <div className="flex flex-col gap-10">
      <Heading />
      <Form action={changeAction} className="flex flex-col gap-10">
        <Rules
          title="Your own rules"
          empty="None yet. A rule of yours stands beside the template."
          {...rows(of("owner"))}
        />
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
          {...rows(of("template"))}
        />
        <Rules
          title="From your consent"
          hint="What you granted an agent that asked. To widen it, let it ask again."
          empty="None. When you grant what an agent asks for, the rule stands here."
          {...rows(of("consent"))}
        />
        <Rules
          title="From connection tokens"
          hint="Each token comes with a rule for what it may reach. Removing it leaves the token with nothing of its own."
          empty="None. A token that you issue under Connections brings its rule here."
          {...rows(of("token"))}
        />
        {ended.length > 0 && <Ended {...rows(ended)} />}
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

interface ListProps {
  policies: readonly ListedPolicy[];
  /** A rule; the list shows the page that contains it. */
  from: string | undefined;
  saved: string | undefined;
  now: Date;
}

interface RulesProps extends ListProps {
  title: string;
  hint?: string;
  empty: string;
  before?: ReactNode;
}

function Rules({ title, hint, empty, before, ...list }: RulesProps) {
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
      {list.policies.length === 0 ? (
        <p className="rounded-box border border-dashed border-edge/60 px-4 py-5 text-center text-muted">
          {empty}
        </p>
      ) : (
        <List {...list} />
      )}
    </section>
  );
}

function Ended(list: ListProps) {
  return (
    <details>
      <summary className="flex min-h-10 items-center text-base font-semibold">
        Ended lately ({list.policies.length})
      </summary>
      <div className="mt-2">
        <List {...list} />
      </div>
    </details>
  );
}

const perPage = 10;

function List({ policies, from, saved, now }: ListProps) {
  const at = Math.max(
    0,
    policies.findIndex(({ id }) => id === from),
  );
  const start = at - (at % perPage);
  const next = policies[start + perPage];
  const href = (id: string | undefined) => `/dashboard/access/policies?from=${id}`;
  return (
    <>
      <ul className="flex flex-col divide-y divide-line overflow-hidden rounded-box border border-line bg-surface shadow-raised">
        {policies.slice(start, start + perPage).map((policy) => (
          <PolicyRow key={policy.id} policy={policy} now={now} isSaved={policy.id === saved} />
        ))}
      </ul>
      {policies.length > perPage && (
        <div className="flex flex-wrap items-center gap-x-6">
          <p className="text-xs text-muted">
            {start + 1} to {Math.min(start + perPage, policies.length)} of {policies.length}
          </p>
          <Pages
            newest={start === 0 ? null : href(policies[0]?.id)}
            older={next === undefined ? null : href(next.id)}
            words={{ first: "First", next: "Next" }}
          />
        </div>
      )}
    </>
  );
}
