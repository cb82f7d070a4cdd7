import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/shell/page-header";
import { engine } from "@/lib/engine/engine";
import { adminContext } from "@/lib/http/session/admin";
import { describeSystem } from "@/lib/services/admin/system/describe-system";
import { Card } from "../../_components/card";
import { When } from "../../_components/shown/when";
import { configurationShown } from "./configuration";
import { Engines } from "./engines";
import { Limits } from "./limits";
import { Rows } from "./rows";
import { SlowStatements } from "./slow-statements";
import { duration, failed, lateness } from "./words";

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
          head={["Job", "Last began", "Took", "Behind", "Failures"]}
          rows={system.jobs.map((job) => [
            `${job.name}, every ${duration(job.everySeconds * 1_000)}`,
            job.startedAt === null ? (
              "never"
            ) : (
              <When key="began" at={job.startedAt} now={ctx.now} />
            ),
            job.startedAt !== null && job.tookMs === null ? "runs now" : duration(job.tookMs ?? 0),
            lateness(job),
            failed(job),
          ])}
          none="There are no jobs."
        />
      </Card>
      <Card title="Limits">
        <Limits system={system} />
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
        <SlowStatements slow={system.slow} />
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

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}
