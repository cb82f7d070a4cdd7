import type { NamedAgent } from "@/lib/services/access/named-agent";
import type { activityKinds } from "@/lib/services/activity/kinds";
import { type Filter, FilterBar } from "../../_components/lists/filter-bar";
import { selectFilter } from "../../_components/lists/select-filter";
import { agentWords } from "../../_components/shown/agent-name";
import { type ActivityView, activityParams, isFiltered } from "./params";

const kinds: Record<"" | (typeof activityKinds)[number], string> = {
  "": "Everything",
  reads: "Reads",
  proposals: "Proposals",
  decisions: "Your decisions",
  access: "Access and tokens",
  policies: "Rules",
  memories: "Memories",
  account: "Account and profile",
};

const outcomes = { "": "Granted or refused", ok: "Granted", refused: "Refused" };

const periods = {
  "": "Any time",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  custom: "From … to …",
};

/** Narrows the log, its chart and its files. */
export function Filters({ view, actors }: { view: ActivityView; actors: NamedAgent[] }) {
  const { who, kind, outcome, period, by } = view;
  const agents = Object.fromEntries(actors.map((agent) => [agent.did, agentWords(agent)]));
  const filters: Filter[] = [
    selectFilter("who", "Who", who, { "": "Anybody", you: "You", ...agents }),
    selectFilter("kind", "What", kind, kinds),
    selectFilter("outcome", "Outcome", outcome, outcomes),
    selectFilter("period", "When", period, periods),
    { kind: "day", isCustom: true, name: "from", label: "From", value: view.from },
    { kind: "day", isCustom: true, name: "to", label: "To", value: view.to },
    { kind: "hidden", name: "by", label: "Chart", value: by === "day" ? "" : by },
  ];
  return (
    <FilterBar
      action={activityParams.path}
      filters={filters}
      clear={isFiltered(view) ? activityParams.href({ by }) : undefined}
    />
  );
}
