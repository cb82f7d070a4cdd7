import type { System } from "@/lib/services/admin/system/describe-system";
import { Rows } from "./rows";
import { duration, slowRemedies } from "./words";

export function SlowStatements({ slow }: { slow: System["slow"] }) {
  if (slow.counted !== "yes") return <p className="text-muted">{slowRemedies[slow.counted]}</p>;
  return (
    <Rows
      head={["Statement", "Calls", "Mean", "In all"]}
      rows={slow.statements.map(({ statement, calls, meanMs, totalMs }) => [
        <code key="statement" className="font-mono text-xs">
          {statement}
        </code>,
        calls.toLocaleString("en"),
        `${meanMs.toFixed(1)} ms`,
        duration(totalMs),
      ])}
      none="None yet."
    />
  );
}
