import type { System } from "@/lib/services/admin/system/describe-system";

export function Engines({ system: { readiness, versions } }: { system: System }) {
  const { database, limits, migrations, problems, ready } = readiness;
  const pending = migrations?.pending.length ?? 0;
  return (
    <ul className="flex flex-col gap-1">
      <li>{ready ? "Ready: requests are answered." : `Not ready: ${problems.join(" ")}`}</li>
      <li>
        PostgreSQL {versions.postgres}{" "}
        {database.answers ? `answers in ${database.milliseconds} ms` : "does not answer"}
        {database.clockSkewMs !== null && `, its clock ${Math.abs(database.clockSkewMs)} ms away`}
      </li>
      <li>
        Limits on {limits.engine}, {limits.healthy ? "which answers" : "which does not answer"}
      </li>
      <li>{pending === 0 ? "All migrations are applied" : `${pending} migrations are missing`}</li>
      <li>
        Profile Access Gateway {versions.gateway} on Node.js {versions.node}
      </li>
    </ul>
  );
}
