import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { chosenProfile, pageContext } from "@/lib/http/session/page";
import { Empty } from "../../_components/states/empty";

export const metadata: Metadata = { title: "Profile suspended" };

/** Where every page of a suspended profile leads. */
export default async function SuspendedPage() {
  const { who } = await pageContext();
  const profile = await chosenProfile(who);
  if (profile?.state !== "suspended") redirect("/dashboard");
  return (
    <>
      <h1 className="mb-6 text-title font-semibold tracking-tight">This profile is suspended</h1>
      <Empty title="Nobody reads it or changes it, and nothing in it is lost">
        An admin of this gateway has suspended{" "}
        <code className="font-mono text-small break-all text-ink">{profile.did}</code>. While that
        lasts no agent gets anything of it, and its requests and proposals stay as they are. Ask an
        admin about it.
        {who.profiles.length > 1 && " Your other profiles are open: choose one at the top."}
      </Empty>
    </>
  );
}
