import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { chosenProfile, pageContext } from "@/lib/http/session/page";
import { PageHeader } from "../../_components/shell/page-header";
import { Empty } from "../../_components/states/empty";

export const metadata: Metadata = { title: "Profile suspended" };

/** Where every page of a suspended profile leads. */
export default async function SuspendedPage() {
  const { who } = await pageContext();
  const profile = await chosenProfile(who);
  if (profile?.state !== "suspended") redirect("/dashboard");
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="This profile is suspended" />
      <Empty title="Nobody reads it or changes it, and nothing in it is lost">
        An admin of this gateway has suspended{" "}
        <code className="font-mono text-small break-all text-ink">{profile.did}</code>. While that
        lasts no agent gets anything of it, and its requests and proposals stay as they are. Ask an
        admin about it.
        {who.profiles.some(({ state }) => state === "active") &&
          " You have another profile that is open: choose it at the top."}
      </Empty>
    </div>
  );
}
