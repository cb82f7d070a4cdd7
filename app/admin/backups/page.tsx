import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/shell/page-header";
import { Notice } from "@/app/_components/states/notice";
import { Table } from "@/app/docs/_parts/table";
import { keptBackups } from "@/lib/engine/backup/target/retention";
import { engine } from "@/lib/engine/engine";
import type { Env } from "@/lib/engine/env";
import { adminContext } from "@/lib/http/session/admin";
import { type Backups, findBackups } from "@/lib/services/admin/system/backups";
import { Card } from "../../_components/card";
import { Refresh } from "../../_components/refresh";
import { InertText } from "../../_components/shown/inert-text";
import { When } from "../../_components/shown/when";
import { TextLink } from "../../_components/text-link";
import { sizeWords } from "../../_components/words/size";
import { durationWords } from "../../_components/words/time";
import { AdminAct } from "../_parts/admin-act";
import { backupAction } from "./actions";

export const metadata: Metadata = { title: "Backups" };

export default async function BackupsPage() {
  const { ctx } = await adminContext();
  const backups = await findBackups(ctx, engine());
  const { state, place } = backups;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Backups">
        Each is one file with all that this gateway holds{nightly(engine().env)}. The newest{" "}
        {keptBackups} are kept in <InertText text={place} />.{" "}
        <TextLink href="/docs/operations#backups">How to restore one</TextLink>
      </PageHeader>
      {engine().env.BACKUP_URL === undefined && (
        <Notice tone="info">
          Backups on the disk of the gateway are lost with it: set BACKUP_URL.
        </Notice>
      )}
      <Card title="Latest">
        <div className="flex flex-col gap-4">
          <Last state={state} now={ctx.now} />
          {!state.isRunning && (
            <AdminAct
              action={backupAction}
              to={{}}
              intent="start"
              words="A backup is written there, beside the others. It never goes to a browser."
              button="Back up now"
            />
          )}
        </div>
      </Card>
      <Card title="Kept">
        <Kept backups={backups} now={ctx.now} />
      </Card>
    </div>
  );
}

function nightly({ BACKUP_AT: hour }: Env): string {
  return hour === "off" ? "" : `, made every night at ${String(hour).padStart(2, "0")}:00 UTC`;
}

/** What became of the last one. */
function Last({ state, now }: { state: Backups["state"]; now: Date }) {
  const { startedAt, isRunning, failure, last } = state;
  if (isRunning && startedAt !== null) {
    return (
      <p role="status">
        A backup is being made. It began <When at={startedAt} now={now} />. <Refresh />
      </p>
    );
  }
  return (
    <>
      {failure !== null && startedAt !== null && (
        <Notice tone="danger">
          The backup that began <When at={startedAt} now={now} /> failed:{" "}
          <InertText text={failure} />
        </Notice>
      )}
      <p role="status">
        {last === null ? (
          "This gateway has made none yet."
        ) : (
          <>
            The last good one was made <When at={new Date(last.madeAt)} now={now} />:{" "}
            {sizeWords(last.bytes)} in {durationWords(last.tookMs)}.
          </>
        )}
      </p>
    </>
  );
}

function Kept({ backups: { kept, trouble }, now }: { backups: Backups; now: Date }) {
  if (trouble !== null) return <Notice tone="danger">{trouble}</Notice>;
  if (kept.length === 0) return <p className="text-muted">None.</p>;
  return (
    <Table
      caption="Kept backups"
      head={["File", "Size", "Made", "Rows"]}
      rows={kept.map(({ name, bytes, summary }) => [
        name,
        sizeWords(bytes),
        summary === null ? "unknown" : <When key="made" at={new Date(summary.madeAt)} now={now} />,
        summary === null ? "It may be incomplete" : summary.rows.toLocaleString("en"),
      ])}
    />
  );
}
