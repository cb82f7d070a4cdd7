import type { Metadata } from "next";
import type { Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { type ListedPolicies, type ListedPolicy, listPolicies } from "@/lib/services/policies/list";
import { ButtonLink } from "../../../_components/button";
import { Form } from "../../../_components/forms/form";
import { Icon, type IconName } from "../../../_components/icon";
import { Pages } from "../../../_components/lists/pages";
import { PageHeader } from "../../../_components/shell/page-header";
import { readerZone } from "../../../_components/shell/reader-zone";
import { TextLink } from "../../../_components/text-link";
import type { ReaderClock } from "../../../_components/words/time";
import { changeAction } from "./actions";
import { Chosen } from "./list/chosen";
import { PolicyRow } from "./list/policy-row";
import { TemplateChoice } from "./list/template-choice";
import { rulesAddress } from "./schemas";

export const metadata: Metadata = { title: "Rules" };

export default async function PoliciesPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const { did } = profile;
  const { template, on, saved, from = saved ?? on } = rulesAddress.read(await searchParams);
  const listed = await listPolicies(ctx, did);
  const isOff = ({ id, enabled }: ListedPolicy) => id === on && !enabled;
  const shown = { listed, from, saved, clock: { now: ctx.now, zone: await readerZone() } };
  return (
    <div className="flex flex-col gap-6">
      <Heading />
      {listed.standing.filter(isOff).map((policy) => (
        <Chosen
          key={policy.id}
          {...{ ctx, did }}
          title="Switch on this rule"
          policies={[policy]}
          change={{ kind: "put", policy: { ...policy, enabled: true } }}
          submit={{ name: "on", value: policy.id, words: "Switch it on" }}
        />
      ))}
      <Form action={changeAction} className="flex flex-col gap-6">
        {groups.map((group) => (
          <Group key={group.title} group={group} {...shown} />
        ))}
        {listed.ended.length > 0 && (
          <details>
            <summary className="flex min-h-11 items-center font-semibold">
              Ended lately ({listed.ended.length})
            </summary>
            <List policies={listed.ended} {...shown} />
          </details>
        )}
      </Form>
      <TemplateChoice
        standing={listed.standing.filter(({ origin }) => origin === "template")}
        chosen={template}
        of={{ ctx, did }}
      />
    </div>
  );
}

function Heading() {
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0 flex-1 basis-80">
        <PageHeader isPlace title="Rules">
          What agents get without asking you. “Never” wins over every “may”; to read what no rule
          opens, <TextLink href="/dashboard/access">an agent has to ask you</TextLink>.
        </PageHeader>
      </div>
      <ButtonLink href="/dashboard/access/policies/new">
        <Icon icon="plus" className="size-4" />
        New rule
      </ButtonLink>
    </div>
  );
}

interface RuleGroup {
  title: string;
  icon: IconName;
  empty: string;
  has: (policy: ListedPolicy) => boolean;
}

const opens = ({ allow, permissions }: ListedPolicy) => allow.length > 0 && permissions.length > 0;
const reads = ({ permissions }: ListedPolicy) => permissions.includes("read");

const groups: readonly RuleGroup[] = [
  {
    title: "Never",
    icon: "lock-simple-fill",
    empty: "Nothing is closed for good: what no rule opens, an agent can ask you for.",
    has: (policy) => !opens(policy),
  },
  {
    title: "May read",
    icon: "eye",
    empty: "No agent reads anything without asking you first.",
    has: (policy) => opens(policy) && reads(policy),
  },
  {
    title: "May propose",
    icon: "tray-arrow-down",
    empty: "No agent proposes memories by a rule for that alone.",
    has: (policy) => opens(policy) && !reads(policy),
  },
];

interface ListProps {
  listed: ListedPolicies;
  /** A rule; the list shows the page that contains it. */
  from: string | undefined;
  saved: string | undefined;
  clock: ReaderClock;
}

function Group({ group, ...list }: ListProps & { group: RuleGroup }) {
  const { title, icon, empty, has } = group;
  const id = title.toLowerCase().replaceAll(" ", "-");
  const policies = list.listed.standing.filter(has);
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="flex items-center gap-2 font-semibold">
        <Icon icon={icon} />
        {title}
      </h2>
      {policies.length === 0 ? (
        <p className="rounded-box border border-dashed border-edge/60 px-4 py-4 text-muted">
          {empty}
        </p>
      ) : (
        <List policies={policies} {...list} />
      )}
    </section>
  );
}

const perPage = 10;

function List({ policies, listed, from, saved, clock }: ListProps & { policies: ListedPolicy[] }) {
  const at = Math.max(
    0,
    policies.findIndex(({ id }) => id === from),
  );
  const start = at - (at % perPage);
  const next = policies[start + perPage];
  const href = (id: string | undefined) => rulesAddress.href({ from: id });
  return (
    <>
      <ul className="flex flex-col divide-y divide-line box">
        {policies.slice(start, start + perPage).map((policy) => (
          <PolicyRow
            key={policy.id}
            policy={policy}
            behind={listed.behind(policy)}
            usedAt={listed.usedAt.get(policy.id) ?? null}
            clock={clock}
            isSaved={policy.id === saved}
          />
        ))}
      </ul>
      {policies.length > perPage && (
        <div className="flex flex-wrap items-center gap-x-6">
          <p className="text-small text-muted">
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
