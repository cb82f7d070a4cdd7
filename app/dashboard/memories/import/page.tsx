import type { Metadata } from "next";
import { profileContext } from "@/lib/http/session/page";
import { importNotice } from "@/lib/http/session/routes/answer-on-page";
import { listImports } from "@/lib/services/imports/batches/list-imports";
import { PageHeader } from "../../../_components/shell/page-header";
import { Notice } from "../../../_components/states/notice";
import { Batches } from "./batches";
import { ImportForm } from "./import-form";
import { Sources } from "./sources";

export const metadata: Metadata = { title: "Import memories" };

export default async function ImportPage() {
  const { ctx, profile } = await profileContext();
  const notice = await importNotice();
  const batches = await listImports(ctx, profile.did);
  return (
    <div className="flex max-w-180 flex-col gap-5">
      <PageHeader title="Import memories">
        What other assistants remember about you, as proposals: nothing is kept before you approve
        it.
      </PageHeader>
      {notice !== null && <Notice tone={notice.ok ? "info" : "danger"}>{notice.message}</Notice>}
      <ImportForm />
      <Batches batches={batches} now={ctx.now} />
      <Sources />
    </div>
  );
}
