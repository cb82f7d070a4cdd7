import type { Metadata } from "next";
import { profileContext } from "@/lib/http/session/page";
import { EditorPage } from "../editor/editor-page";
import { BackToPolicies } from "../list/back";

export const metadata: Metadata = { title: "New rule" };

export default async function NewPolicyPage() {
  const { ctx, profile } = await profileContext();
  return (
    <div className="flex flex-col gap-8">
      <header>
        <BackToPolicies />
        <h1 className="text-2xl font-semibold tracking-tight">New rule</h1>
        <p className="mt-1 text-muted">
          Who may read or propose what. Before you save, you see who gains and who loses by it.
        </p>
      </header>
      <EditorPage ctx={ctx} did={profile.did} policy={null} />
    </div>
  );
}
