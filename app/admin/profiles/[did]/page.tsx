import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/shell/page-header";
import { TextLink } from "@/app/_components/text-link";
import { missing } from "@/lib/http/page-failure";
import { adminFinds } from "@/lib/http/session/admin";
import { findProfile, type ProfileCounts } from "@/lib/services/admin/profiles/list-profiles";
import { Card } from "../../../_components/card";
import { Field } from "../../../_components/forms/fields/field";
import type { Option } from "../../../_components/forms/fields/options";
import { SelectField } from "../../../_components/forms/fields/select-field";
import { Facts } from "../../../_components/shown/facts";
import { When } from "../../../_components/shown/when";
import { AdminAct, Deletion, Suspension } from "../../_parts/admin-act";
import NotFound from "../../not-found";
import { profileAction } from "../actions";
import { Transfer } from "./transfer";

type Props = { params: Promise<{ did: string }> };

const load = adminFinds(findProfile);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await load((await params).did)).found?.profile.did ?? "Not found" };
}

export default async function ProfilePage({ params }: Props) {
  const { ctx, found } = await load((await params).did);
  if (found === null) return missing(<NotFound />);
  const { profile, counts, transfer } = found;
  const { did, owner, state, createdAt } = profile;
  const target = { action: profileAction, to: { did } };
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        above={{ href: "/admin/profiles", name: "Profiles" }}
        title={<span className="font-mono text-lead break-all">{did}</span>}
      >
        {state === "suspended" && <span className="text-danger">Suspended · </span>}
        of <TextLink href={`/admin/users/${owner.id}`}>{owner.email}</TextLink> · since{" "}
        <When at={createdAt} now={ctx.now} />
      </PageHeader>
      <Card title="How much there is">
        <Facts facts={factsOf(counts, ctx.now)} />
      </Card>
      <AdminAct {...target} title="Type and version" intent="setFormat" button="Change">
        <SelectField
          name="profileType"
          label="Whose profile it is"
          choices={types}
          initial={profile.profileType}
        />
        <Field name="version" label="Version of its format" initial={profile.version} exact />
      </AdminAct>
      <Transfer target={target} transfer={transfer} now={ctx.now} />
      <Suspension {...target} state={state} words={suspensionWords} />
      <Deletion
        {...target}
        words="What it holds and what was granted on it is erased at once and for good; of its log only the last hash stays. Nobody can take up its DID again. The logs of other profiles keep the DID where its keys were used."
        sure="its DID"
      />
    </div>
  );
}

const suspensionWords = {
  active:
    "Agents and its owner are refused with PROF002 until it is resumed. Nothing of it is changed.",
  suspended: "Every request for it is refused with PROF002. Nothing of it was changed.",
};

const types: Option[] = [
  ["human", "A person"],
  ["agent", "An agent"],
  ["entity", "An organisation or thing"],
];

function factsOf(counts: ProfileCounts, now: Date) {
  const { memories, pendingProposals, policies, activeTokens, lastEventAt } = counts;
  return [
    ["Memories", memories],
    ["Proposals waiting for its owner", pendingProposals],
    ["Rules in force", policies],
    ["Connection tokens", activeTokens],
    [
      "Something last happened",
      lastEventAt === null ? "never" : <When key="last" at={lastEventAt} now={now} />,
    ],
  ] as const;
}
