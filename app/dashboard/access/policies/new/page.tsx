import type { Metadata } from "next";
import { profileContext } from "@/lib/http/session/page";
import { PageHeader } from "../../../../_components/shell/page-header";
import { EditorPage } from "../editor/editor-page";

export const metadata: Metadata = { title: "New rule" };

export default async function NewPolicyPage() {
  const { ctx, profile } = await profileContext();
  return (
    <div className="flex flex-col gap-8">
      <PageHeader above={{ href: "/dashboard/access/policies", name: "Policies" }} title="New rule">
        Who may read or propose what. Before you save, you see who gains and who loses by it.
      </PageHeader>
      <EditorPage ctx={ctx} did={profile.did} policy={null} />
    </div>
  );
}
