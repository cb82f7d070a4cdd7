import type { Metadata } from "next";
import { profileContext } from "@/lib/http/session/page";
import { findPolicy } from "@/lib/services/policies/list";
import { PageHeader } from "../../../../_components/shell/page-header";
import { readerZone } from "../../../../_components/shell/reader-zone";
import { Empty } from "../../../../_components/states/empty";
import { Notice } from "../../../../_components/states/notice";
import { EditorPage } from "../editor/editor-page";
import { PolicySentence } from "../list/sentence";
import { PolicyId } from "../schemas";

export const metadata: Metadata = { title: "Edit a rule" };

interface PolicyPageProps {
  params: Promise<{ id: string }>;
}

export default async function PolicyPage({ params }: PolicyPageProps) {
  const { ctx, profile } = await profileContext();
  const { did } = profile;
  const policyId = PolicyId.safeParse((await params).id).data;
  const policy = policyId === undefined ? null : await findPolicy(ctx, { did, policyId });
  const head = (
    <PageHeader above={{ href: "/dashboard/access/policies", name: "Rules" }} title="Edit a rule">
      {policy !== null && (
        <>
          Now: <PolicySentence policy={policy} zone={await readerZone()} />
        </>
      )}
    </PageHeader>
  );
  if (policy?.origin === "owner") {
    return (
      <EditorPage ctx={ctx} did={did} policy={policy}>
        {head}
        {!policy.enabled && (
          <Notice tone="info">
            This rule is switched off: it changes nothing until you switch it on.
          </Notice>
        )}
      </EditorPage>
    );
  }
  return (
    <div className="flex flex-col gap-8">
      {head}
      {policy === null ? (
        <Empty title="This rule is not here">
          It was removed, or it belongs to another profile of yours.
        </Empty>
      ) : (
        <Empty title="This rule is not yours to edit">
          It comes from a template, a grant or a connection token. You can switch it off or remove
          it, and write a rule of your own beside it.
        </Empty>
      )}
    </div>
  );
}
