import Link from "next/link";
import type { NamedAgent } from "@/lib/services/access/named-agent";
import { activityKinds } from "@/lib/services/activity/kinds";
import { Button } from "../../_components/button";
import { type Option as Choice, Options } from "../../_components/forms/options";
import { agentLabel } from "../../_components/shown/agent-name";
import { visibleText } from "../../_components/words/inert";
import { activityHref, given, type Narrowed } from "./filter";

interface FiltersProps {
  narrowed: Narrowed;
  actors: NamedAgent[];
}

const kindWords: Record<(typeof activityKinds)[number], string> = {
  reads: "Reads",
  proposals: "Proposals",
  decisions: "Your decisions",
  access: "Access and tokens",
  policies: "Policies",
  memories: "Memories",
  account: "Account and profile",
};

const outcomes: Choice[] = [
  ["", "Granted or refused"],
  ["ok", "Granted"],
  ["refused", "Refused"],
];

const periodChoices: Choice[] = [
  ["", "Any time"],
  ["24h", "Last 24 hours"],
  ["7d", "Last 7 days"],
  ["30d", "Last 30 days"],
  ["90d", "Last 90 days"],
  ["custom", "From … to …"],
];

/** A plain form: its answers stand in the address, to be kept or shared. */
export function Filters({ narrowed, actors }: FiltersProps) {
  const who: Choice[] = [
    ["", "Anybody"],
    ["you", "You"],
    ...actors.map((agent) => [agent.did, visibleText(agentLabel(agent))] as const),
  ];
  const kinds: Choice[] = [
    ["", "Everything"],
    ...activityKinds.map((one) => [one, kindWords[one]] as const),
  ];
  return (
    <search>
      <form
        action="/dashboard/activity"
        className="group flex flex-wrap items-center gap-2 sm:gap-3"
      >
        <Select name="who" label="Who" current={narrowed.who} choices={who} />
        <Select name="kind" label="What" current={narrowed.kind} choices={kinds} />
        <Select name="outcome" label="Outcome" current={narrowed.outcome} choices={outcomes} />
        <Select name="period" label="When" current={narrowed.period} choices={periodChoices} />
        <div className="hidden flex-wrap items-center gap-2 group-has-[option[value=custom]:checked]:flex">
          <Day name="from" label="From" current={narrowed.from} />
          <Day name="to" label="To" current={narrowed.to} />
        </div>
        <div className="flex items-center gap-4">
          <Button type="submit" look="secondary">
            Filter
          </Button>
          {given(narrowed).length > 0 && (
            <Link
              href={activityHref({})}
              className="font-medium text-accent underline underline-offset-4"
            >
              Clear
            </Link>
          )}
        </div>
      </form>
    </search>
  );
}

interface SelectProps {
  name: string;
  label: string;
  current?: string;
  choices: readonly Choice[];
}

const field =
  "min-h-10 min-w-0 rounded-box border border-edge bg-surface px-3 text-base sm:text-sm";

function Select({ name, label, current = "", choices }: SelectProps) {
  return (
    <select
      key={`${name} ${current}`}
      name={name}
      aria-label={label}
      defaultValue={current}
      className={`${field} flex-1 basis-36 truncate sm:max-w-52`}
    >
      <Options choices={choices} chosen={current} />
    </select>
  );
}

function Day({ name, label, current = "" }: Omit<SelectProps, "choices">) {
  return (
    <label className="flex items-center gap-2 text-muted">
      {label}
      <input
        key={current}
        type="date"
        name={name}
        defaultValue={current}
        className={`${field} text-ink`}
      />
    </label>
  );
}
