import type { System } from "@/lib/services/admin/system/describe-system";
import { visibleText } from "../../_components/words/inert";
import { Rows } from "./rows";
import { classTitle } from "./words";

export function Limits({ system: { limits, nearLimits } }: { system: System }) {
  return (
    <div className="flex flex-col gap-5">
      <Rows
        head={["In force for", "Requests an hour"]}
        rows={limits.map(({ class: name, limit }) => [
          classTitle(name),
          limit.toLocaleString("en"),
        ])}
        none="None."
      />
      <div>
        <h3 className="font-medium">Closest to theirs</h3>
        <p className="text-xs text-muted">
          Within the last hour, as {nearLimits.countedBy} counts.
          {!nearLimits.isWhole && " There are more callers than could be compared here."}
        </p>
      </div>
      <Rows
        head={["Caller", "What for", "Used"]}
        rows={nearLimits.callers.map(({ caller, name, class: what, used, limit }) => [
          name === null ? caller : `${visibleText(name)} (${caller})`,
          classTitle(what),
          share(used, limit),
        ])}
        none="Nobody has asked for anything within the hour."
      />
    </div>
  );
}

function share(used: number, limit: number | null): string {
  if (limit === null) return used.toLocaleString("en");
  const percent = Math.round((100 * used) / Math.max(1, limit));
  return `${used.toLocaleString("en")} of ${limit.toLocaleString("en")} (${percent} %)`;
}
