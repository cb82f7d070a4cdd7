import type { Audience, Everyone, Reader } from "@/lib/services/access/sight/audience";
import { counted } from "../../_components/words/list";

export const nobody: Audience = { agents: [], everyone: null, takers: [], everyoneTakes: null };

/** Who can read it now, and who of the others can after saying why; null for no agent. */
export function readersOf({ agents, everyone, takers, everyoneTakes }: Audience): {
  read: string | null;
  take: string | null;
} {
  const read = extentWords(agents, everyone);
  if (everyone === "all") return { read, take: null };
  if (read !== null && everyoneTakes === "all") return { read, take: "every other agent" };
  return { read, take: extentWords(takers, everyoneTakes === everyone ? null : everyoneTakes) };
}

/** "every verified agent can read it, and 1 agent without asking you, after saying why" */
export function audienceWords(audience: Audience): string {
  const { read, take } = readersOf(audience);
  if (take === null) return `${read ?? "no agent"} can read it`;
  const asking = `${take}${read === null ? " can read it" : ""} without asking you, after saying why`;
  return read === null ? asking : `${read} can read it, and ${asking}`;
}

/** "All verified and 1 other", "5 agents", "No agent": who can read it, now or after saying why. */
export function audienceShort({ agents, everyone, takers, everyoneTakes }: Audience): string {
  const extents = [everyone, everyoneTakes];
  if (extents.includes("all")) return "All agents";
  const named = [...agents, ...takers];
  if (!extents.includes("verified")) {
    return named.length === 0 ? "No agent" : counted(named.length, "agent");
  }
  const others = named.filter(({ verified }) => !verified).length;
  return others === 0 ? "All verified" : `All verified and ${counted(others, "other")}`;
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
