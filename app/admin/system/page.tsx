import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/shell/page-header";
import { engine } from "@/lib/engine/engine";
import { adminContext } from "@/lib/http/session/admin";
import { describeSystem, type System } from "@/lib/services/admin/system";
import { Card } from "../../_components/card";
import { When } from "../../_components/shown/when";
import { visibleText } from "../../_components/words/inert";
import { configurationShown } from "./configuration";
import { Rows } from "./rows";

export const metadata: Metadata = { title: "System" };

export default async function SystemPage() {
  const { ctx } = await adminContext();
  const system = await describeSystem(ctx, engine());
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="System">How this gateway is, and what it runs with.</PageHeader>
      <Card title="Engines">
        <Engines system={system} />
      </Card>
      <Card title="Jobs">
        <Rows
          head={["Job", "Last began", "Ended", "Failure"]}
          rows={system.jobs.map(({ name, startedAt, finishedAt, failure }) => [
            name,
            <When key="began" at={startedAt} now={ctx.now} />,
            finishedAt === null ? "runs" : <When key="ended" at={finishedAt} now={ctx.now} />,
            failure ?? "none",
          ])}
          none="No job has run yet."
        />
      </Card>
      <Card title="Closest to their limits">
        <Rows
          head={["Caller", "What for", "Requests of this hour"]}
          rows={system.nearLimits.map(({ caller, name, class: what, used, limit }) => [
            name === null ? caller : `${visibleText(name)} (${caller})`,
            what,
            limit === null
              ? used.toLocaleString("en")
              : `${used.toLocaleString("en")} of ${limit.toLocaleString("en")}`,
          ])}
          none="Nobody has asked for anything within the hour."
        />
      </Card>
      <Card title={`Database, ${megabytes(system.database.bytes)}`}>
        <Rows
          head={["Table", "Size", "Rows, about"]}
          rows={system.database.tables.map(({ name, bytes, rows }) => [
            name,
            megabytes(bytes),
            rows.toLocaleString("en"),
          ])}
          none="No tables."
        />
      </Card>
      <Card title="Slow statements">
        {system.slow === null ? (
          <p className="text-muted">
            PostgreSQL does not count them here. Load <code>pg_stat_statements</code> to see them.
          </p>
        ) : (
          <Rows
            head={["Statement", "Calls", "Mean"]}
            rows={system.slow.map(({ statement, calls, meanMs }) => [
              statement,
              calls.toLocaleString("en"),
              `${meanMs.toFixed(1)} ms`,
            ])}
            none="None yet."
          />
        )}
      </Card>
      <Card title="Configuration in force">
        <Rows
          head={["Name", "Value"]}
          rows={configurationShown(engine().env, engine().settings.values())}
          none="Nothing is set."
        />
      </Card>
    </div>
  );
}

function Engines({ system: { readiness, versions } }: { system: System }) {
  const { database, limits, migrations, ready } = readiness;
  const pending = migrations?.pending.length ?? 0;
  return (
    <ul className="flex flex-col gap-1">
      <li>
        {ready ? "Ready: requests are answered." : "Not ready: requests are refused for now."}
      </li>
      <li>
        PostgreSQL {versions.postgres}{" "}
        {database.answers ? `answers in ${database.milliseconds} ms` : "does not answer"}
        {database.clockSkewMs !== null && `, its clock ${Math.abs(database.clockSkewMs)} ms away`}
      </li>
      <li>
        Limits on {limits.engine}, {limits.healthy ? "which answers" : "which does not answer"}
      </li>
      <li>{pending === 0 ? "All migrations are applied" : `${pending} migrations are missing`}</li>
      <li>Node.js {versions.node}</li>
    </ul>
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}
