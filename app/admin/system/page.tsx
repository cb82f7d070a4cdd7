import type { Metadata } from "next";
import type { ComponentProps, ReactNode } from "react";
import { PageHeader } from "@/app/_components/shell/page-header";
import { Table } from "@/app/docs/_parts/table";
import { engine } from "@/lib/engine/engine";
import { adminContext } from "@/lib/http/session/admin";
import { configurationShown } from "@/lib/services/admin/system/configuration";
import { describeSystem, type System } from "@/lib/services/admin/system/describe-system";
import type { NearLimit } from "@/lib/services/admin/system/near-limits";
import { slowest } from "@/lib/services/admin/system/statement-words";
import { Card } from "../../_components/card";
import { When } from "../../_components/shown/when";
import { visibleText } from "../../_components/words/inert";
import { sizeWords } from "../../_components/words/size";
import { durationWords } from "../../_components/words/time";
import { classTitle } from "../words/setting";
import { Health } from "./health";
import { failed, lateness } from "./words";

export const metadata: Metadata = { title: "System" };

export default async function SystemPage() {
  const { ctx } = await adminContext();
  const system = await describeSystem(ctx, engine());
  const { database, jobs, nearLimits, slow } = system;
  return (
    <div className="flex flex-col gap-4 [&_th]:wrap-anywhere [&_th]:whitespace-normal">
      <PageHeader title="System">How this gateway is, and what it runs with.</PageHeader>
      <Health state={system} now={ctx.now} />
      <Listing
        title="Closest to their limits"
        note={limitsNote(nearLimits)}
        head={["Caller and what for", "Used"]}
        rows={nearLimits.callers.map(callerCells)}
      />
      <Listing
        title="Jobs"
        head={["Job", "Last began", "Took", "Behind", "Failures"]}
        rows={jobs.map((job) => jobCells(job, ctx.now))}
      />
      <Listing
        title={`Database, ${sizeWords(database.bytes)}`}
        head={["Table", "Size", "Rows, about"]}
        rows={database.tables.map(({ name, bytes, rows }) => [
          name,
          sizeWords(bytes),
          rows?.toLocaleString("en") ?? "none counted yet",
        ])}
      />
      <Listing
        title="Slowest statements"
        note={slow.counted === "yes" ? undefined : slowRemedies[slow.counted]}
        head={["What they do", "Calls", "Mean", "In all"]}
        rows={slow.counted === "yes" ? slowest(slow.statements).map(statementCells) : []}
      />
      <Listing
        title="Configuration in force"
        head={["Name", "Value"]}
        rows={configurationShown(engine().env, engine().settings.values())}
      />
    </div>
  );
}

type ListingProps = Pick<ComponentProps<typeof Table>, "head" | "rows"> & {
  title: string;
  note?: string;
};

function Listing({ title, note, ...table }: ListingProps) {
  return (
    <Card title={title}>
      {note !== undefined && <p className="mb-3 text-muted">{note}</p>}
      {table.rows.length > 0 && <Table caption={title} {...table} />}
    </Card>
  );
}

function limitsNote({ countedBy, isWhole, callers }: System["nearLimits"]): string {
  const more = isWhole ? "" : " There are more callers than could be compared here.";
  const none = callers.length === 0 ? " Nobody has asked for anything." : "";
  return `Within the last hour, as ${countedBy} counts.${more}${none}`;
}

function statementCells(statement: ReturnType<typeof slowest>[number]): [string, ...string[]] {
  const { words, calls, meanMs, totalMs } = statement;
  return [words, calls.toLocaleString("en"), `${meanMs.toFixed(1)} ms`, durationWords(totalMs)];
}

function callerCells({ caller, name, class: what, used, limit }: NearLimit): [string, string] {
  const shown = name === null ? caller : visibleText(name);
  const of = limit === null ? "" : ` of ${limit.toLocaleString("en")}`;
  return [`${shown}: ${classTitle(what)}`, `${used.toLocaleString("en")}${of}`];
}

function jobCells(job: System["jobs"][number], now: Date): [string, ...ReactNode[]] {
  const { name, everySeconds, startedAt, tookMs } = job;
  return [
    `${name}, every ${durationWords(everySeconds * 1_000)}`,
    startedAt === null ? "never" : <When key="began" at={startedAt} now={now} />,
    startedAt !== null && tookMs === null ? "runs now" : durationWords(tookMs ?? 0),
    lateness(job),
    failed(job),
  ];
}

/** What to do if PostgreSQL does not collect statement statistics. */
const slowRemedies: Record<Exclude<System["slow"]["counted"], "yes">, string> = {
  "not loaded":
    "PostgreSQL does not count statements here. Add pg_stat_statements to shared_preload_libraries in its configuration and start it again; then a superuser creates the extension of that name in this database.",
  "no extension":
    "PostgreSQL counts statements, but not for this database. A superuser creates the extension pg_stat_statements in it.",
};
