import type { Metadata } from "next";
import { Button } from "@/app/_components/button";
import { Card } from "@/app/_components/card";
import { Confirm } from "@/app/_components/forms/confirm";
import { OfProfile } from "@/app/_components/forms/scope";
import { Notice } from "@/app/_components/states/notice";
import { TextLink } from "@/app/_components/text-link";
import { confirmationFor } from "@/lib/http/session/confirm";
import { profileContext } from "@/lib/http/session/page";
import { importNotice } from "@/lib/http/session/routes/answer-on-page";

export const metadata: Metadata = { title: "Export and import" };

// It is sent to a route, whose answer is a page.
const nothingYet = { issues: {}, values: {} };

export default async function ExportPage() {
  const { ctx, who, profile } = await profileContext();
  const confirm = await confirmationFor({ ctx, who });
  const notice = await importNotice();
  return (
    <>
      {notice !== null && <Notice tone={notice.ok ? "info" : "danger"}>{notice.message}</Notice>}
      <Card title="Export">
        <p className="text-muted">
          What this profile holds, as one JSON file: values, memories with their history, proposals,
          access requests, questions and answers, rules, receipts, connections without secrets,
          public keys and the activity log. Rejections, imports, reviewers and rules that approve
          are not in the file, which is <TextLink href="/docs/export">documented</TextLink>.
        </p>
        <p className="mt-2 text-muted">Keep it safe: anyone who has the file can read all of it.</p>
        <a
          href={`/api/profile/export?${new URLSearchParams({ profile: profile.did })}`}
          type="application/json"
          className="mt-4 inline-flex min-h-11 items-center rounded-box bg-ink px-4 font-medium text-on-ink hover:bg-ink-hover"
        >
          Download the file
        </a>
      </Card>
      <Card title="Import">
        <p className="text-muted">
          Such a file, from here or another gateway, into this profile while it is empty.
          Connections, keys and the activity log do not come along, and receipts come revoked.
        </p>
        <form
          action="/api/profile/import"
          method="post"
          encType="multipart/form-data"
          className="mt-4 flex flex-col gap-4"
        >
          <OfProfile />
          <Confirm state={nothingYet} initial={confirm} />
          <label className="flex flex-col gap-1.5">
            <span className="font-medium">File, at most 50 MB besides its activity log</span>
            <input
              type="file"
              name="file"
              accept="application/json,.json"
              required
              className="w-full rounded-control border border-edge bg-surface px-3 py-2 file:mr-3 file:rounded-box file:border-0 file:bg-sunken file:px-3 file:py-1.5 file:text-ink"
            />
          </label>
          <label className="flex items-start gap-3">
            <input type="checkbox" name="policies" className="mt-1 size-4 accent-ink" />
            <span>
              Put its rules in force at once
              <span className="block text-small text-muted">
                Otherwise they come switched off, and so do the rules for reading that this profile
                started with: nobody gains access by the import. In force, they take the place of
                those rules.
              </span>
            </span>
          </label>
          <Button type="submit" look="secondary" className="self-start">
            Import the file
          </Button>
        </form>
      </Card>
    </>
  );
}
