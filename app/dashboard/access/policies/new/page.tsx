import type { Metadata } from "next";
import { profileContext } from "@/lib/http/session/page";
import { PageHeader } from "../../../../_components/shell/page-header";
import { EditorPage } from "../editor/editor-page";

export const metadata: Metadata = { title: "New rule" };

export default async function NewPolicyPage() {
  const { ctx, profile } = await profileContext();
  return (
    <EditorPage ctx={ctx} did={profile.did} policy={null}>
      <PageHeader above={{ href: "/dashboard/access/policies", name: "Rules" }} title="New rule" />
    </EditorPage>
  );
}
