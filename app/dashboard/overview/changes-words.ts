import type { AgentChanges } from "@/lib/services/activity/changes-since";
import { counted, list } from "../../_components/words/list";

/** "read 3 times, proposed 1 memory and was refused once". */
export function changesWords({ reads, proposals, refused }: Omit<AgentChanges, "agent">): string {
  const deeds = [
    ...(reads > 0 ? [`read ${times(reads)}`] : []),
    ...(proposals > 0 ? [`proposed ${counted(proposals, "memory", "memories")}`] : []),
    ...(refused > 0 ? [`was refused ${times(refused)}`] : []),
  ];
  return deeds.length === 0 ? "asked for access" : list(deeds);
}

function times(count: number): string {
  if (count === 1) return "once";
  return count === 2 ? "twice" : `${count.toLocaleString("en")} times`;
}
