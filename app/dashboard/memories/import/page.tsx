import type { Metadata } from "next";
import { profileContext } from "@/lib/http/session/page";
import { importNotice } from "@/lib/http/session/routes/answer-on-page";
import { listImports } from "@/lib/services/imports/batches/list-imports";
import { Button } from "../../../_components/button";
import { Card } from "../../../_components/card";
import { OfProfile } from "../../../_components/forms/scope";
import { PageHeader } from "../../../_components/shell/page-header";
import { Notice } from "../../../_components/states/notice";
import { TextLink } from "../../../_components/text-link";
import { Batches } from "./batches";
import { formatOptions, Sources } from "./sources";

export const metadata: Metadata = { title: "Import memories" };

const field = "w-full rounded-control border border-edge bg-surface px-3 py-2";

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
      <Card title="From a file or as text">
        <form
          action="/api/profile/memories/import"
          method="post"
          encType="multipart/form-data"
          className="flex flex-col gap-4"
        >
          <OfProfile />
          <label className="flex flex-col gap-1.5">
            <span className="font-medium">Paste the memories, one on each line</span>
            <textarea name="text" rows={7} className={`${field} resize-y`} />
          </label>
          <label className="flex flex-col gap-1.5">
            <span className="font-medium">Or choose a file, at most 25 MB and 5,000 memories</span>
            <input
              type="file"
              name="file"
              accept=".json,.jsonl,.txt,.md,.zip,.gz,.mem"
              className={`${field} file:mr-3 file:rounded-box file:border-0 file:bg-sunken file:px-3 file:py-1.5 file:text-ink`}
            />
          </label>
          <label className="flex flex-col gap-1.5">
            <span className="font-medium">Its format</span>
            <select name="format" className="control self-start" defaultValue="">
              <option value="">What its contents show</option>
              {formatOptions.map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <Button type="submit" look="primary" className="self-start">
            Put them into the inbox
          </Button>
        </form>
        <p className="mt-4 text-small text-muted">
          They wait for 90 days. What you have already does not wait twice, and what looks like an
          attack has a warning. Archives of a whole profile go into an empty one under{" "}
          <TextLink href="/dashboard/settings/export">Export and import</TextLink>.
        </p>
      </Card>
      <Batches batches={batches} now={ctx.now} />
      <Sources />
    </div>
  );
}
