import type { Metadata } from "next";
import { Button } from "@/app/_components/button";
import { Card } from "@/app/_components/card";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { Notice } from "@/app/_components/states/notice";
import { didName } from "@/app/_components/words/did-name";
import { chooseProfile } from "@/app/dashboard/choose-profile";
import { engine } from "@/lib/engine/engine";
import { oneOf, type Query } from "@/lib/http/session/address/search-params";
import { chosenProfile, pageContext } from "@/lib/http/session/page";
import { profilesPerUserMax } from "@/lib/services/accounts/new-profile";
import { addProfileAction } from "./actions";
import { NewProfileFields } from "./new-profile-fields";

export const metadata: Metadata = { title: "Profiles" };

export default async function ProfilesPage(props: { searchParams: Promise<Query> }) {
  const { who } = await pageContext();
  const chosen = await chosenProfile(who);
  const { deleted } = await props.searchParams;
  return (
    <>
      {oneOf(deleted) !== undefined && (
        <Notice tone="info">
          The profile is gone, with everything in it. Its identifier will never be given out again.
        </Notice>
      )}
      {who.profiles.length > 0 && (
        <Card title="Your profiles">
          <ul className="flex flex-col divide-y divide-line">
            {who.profiles.map(({ did }) => (
              <li key={did} className="flex flex-wrap items-center justify-between gap-3 py-3">
                <div className="min-w-0">
                  <p className="font-medium wrap-anywhere">{didName(did)}</p>
                  <p className="font-mono text-small break-all text-muted">{did}</p>
                </div>
                {did === chosen?.did ? (
                  <span className="text-muted">You see this one</span>
                ) : (
                  <form action={chooseProfile}>
                    <Button type="submit" look="secondary" name="profile" value={did}>
                      Switch<span className="sr-only"> to {didName(did)}</span>
                    </Button>
                  </form>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {who.profiles.length < profilesPerUserMax && <AddProfile />}
    </>
  );
}

function AddProfile() {
  const namespace = engine().settings.values().PROF_NAMESPACE;
  return (
    <Card title="Make another profile">
      <p className="mb-4 text-muted">
        For a part of your life that others should not see together with the rest, such as work.
        Agents cannot tell that both are yours.
      </p>
      <Form action={addProfileAction} className="flex flex-col gap-4">
        <NewProfileFields namespace={namespace} />
        <SubmitButton>Make profile</SubmitButton>
      </Form>
    </Card>
  );
}
