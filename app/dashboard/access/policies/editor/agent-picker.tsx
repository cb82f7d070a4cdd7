"use client";

import { FirstOf } from "../../../../_components/lists/first-of";
import type { WhoChoice } from "./fields";
import { Group, Select, Text, useFormValues } from "./form-values";

export interface KnownAgent {
  did: string;
  /** Its name, safe to show, and whether it is verified. */
  text: string;
}

const choices: { value: WhoChoice; title: string; note: string }[] = [
  { value: "all", title: "All agents", note: "Every agent that can reach this gateway" },
  { value: "verified", title: "Verified agents", note: "Those that an admin has looked at" },
  { value: "one", title: "One agent", note: "And no other" },
  { value: "pattern", title: "Agents that fit a pattern", note: "For advanced use" },
];

/** Which agents a rule is about. What belongs to a choice opens with it, also before scripts run. */
export function AgentPicker({ agents, agentCount }: { agents: KnownAgent[]; agentCount: number }) {
  const typed = useFormValues();
  return (
    <Group legend="Which agents" name="who">
      <div className="group grid gap-2 sm:grid-cols-2">
        {choices.map(({ value, title, note }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-box border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              key={String(typed.who === value)}
              type="radio"
              name="who"
              value={value}
              defaultChecked={typed.who === value}
              className="mt-1 size-3.5 shrink-0 accent-accent"
            />
            <span>
              <span className="block font-medium">{title}</span>
              <span className="block text-xs text-muted">{note}</span>
            </span>
          </label>
        ))}
        <div className="hidden group-has-[[value=one]:checked]:block sm:col-span-2">
          <Select
            name="agentDid"
            label="Agent"
            options={[
              {
                value: "",
                text: agents.length === 0 ? "No agent was here yet" : "Choose an agent",
              },
              ...agents.map(({ did, text }) => ({ value: did, text })),
            ]}
          />
          <FirstOf shown={agents.length} all={agentCount} />
        </div>
        <div className="hidden group-has-[[value=pattern]:checked]:block sm:col-span-2">
          <Text
            name="agentPattern"
            label="Pattern"
            hint="did:prof:agent:<namespace>:<name>, where * stands for any run of characters."
            placeholder="did:prof:agent:acme:*"
            spellCheck={false}
            autoComplete="off"
          />
        </div>
        <label className="hidden min-h-10 cursor-pointer items-center gap-3 group-has-[[value=one]:checked]:flex group-has-[[value=pattern]:checked]:flex sm:col-span-2">
          <input
            key={typed.whileVerified}
            type="checkbox"
            name="whileVerified"
            defaultChecked={typed.whileVerified !== undefined}
            className="size-4 shrink-0 accent-accent"
          />
          Only while an admin has verified it
        </label>
      </div>
    </Group>
  );
}
