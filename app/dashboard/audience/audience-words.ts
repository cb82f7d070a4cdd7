import type { Audience, Everyone, Reader } from "@/lib/services/access/sight/audience";
import { counted } from "../../_components/words/list";

export const nobody: Audience = { agents: [], everyone: null, takers: [], everyoneTakes: null };

/** Who can read it, and who of the others may take it without asking; null for no agent. */
export function readersOf({ agents, everyone, takers, everyoneTakes }: Audience): {
  read: string | null;
  take: string | null;
} {
  const read = extentWords(agents, everyone);
  if (everyone === "all") return { read, take: null };
  if (read !== null && everyoneTakes === "all") return { read, take: "every other agent" };
  return { read, take: extentWords(takers, everyoneTakes === everyone ? null : everyoneTakes) };
}

/** "every verified agent can read it, and 1 agent may take it without asking" */
export function audienceWords(audience: Audience): string {
  const { read, take } = readersOf(audience);
  const taking = take === null ? "" : `, and ${take} may take it without asking`;
  return `${read ?? "no agent"} can read it${taking}`;
}

/** "All verified + 1", "5 agents", "No agent": who can read it, or take it without asking. */
export function audienceShort({ agents, everyone, takers, everyoneTakes }: Audience): string {
  const extents = [everyone, everyoneTakes];
  if (extents.includes("all")) return "All agents";
  const named = [...agents, ...takers];
  if (!extents.includes("verified")) {
    return named.length === 0 ? "No agent" : counted(named.length, "agent");
  }
  const others = named.filter(({ verified }) => !verified).length;
  return others === 0 ? "All verified" : `All verified + ${others.toLocaleString("en")}`;
}

function extentWords(agents: readonly Reader[], everyone: Everyone): string | null {
  if (everyone === "all") return "every agent";
  if (everyone === "verified") {
    const others = agents.filter(({ verified }) => !verified).length;
    return others === 0
      ? "every verified agent"
      : `every verified agent and ${counted(others, "other")}`;
  }
  return agents.length === 0 ? null : counted(agents.length, "agent");
}
