import type { Metadata } from "next";
import { z } from "zod";
import { param, type Query, searchParams } from "@/lib/http/session/address/search-params";
import { adminContext } from "@/lib/http/session/admin";
import { listProfiles } from "@/lib/services/admin/profiles/list-profiles";
import { LinkedRow } from "../../_components/lists/linked-row";
import { selectFilter } from "../../_components/lists/select-filter";
import { Identicon } from "../../_components/shown/identicon";
import { When } from "../../_components/shown/when";
import { AdminList, listed, perPage } from "../_parts/admin-list";

export const metadata: Metadata = { title: "Profiles" };

const address = searchParams("/admin/profiles", {
  ...listed,
  state: param(z.enum(["active", "suspended"])),
});

const states = { "": "Any state", active: "Active", suspended: "Suspended" };

export default async function ProfilesPage(props: { searchParams: Promise<Query> }) {
  const { ctx } = await adminContext();
  const values = address.read(await props.searchParams);
  const { search, state, before } = values;
  const { profiles, next } = await listProfiles(ctx, {
    search,
    state,
    after: before && { createdAt: before.at, id: Number(before.id) || 0 },
    limit: perPage,
  });
  return (
    <AdminList
      title="Profiles"
      words="Counts and states. What a profile holds is its owner's alone."
      address={address}
      values={values}
      search="DID or owner"
      filters={[selectFilter("state", "State", state, states)]}
      next={next && { at: next.createdAt, id: String(next.id) }}
      gone="The profile is gone, with everything in it. Its DID will never be given out again."
      none="No profile matches. Look for another part of its DID or owner."
    >
      {profiles.map(({ did, owner, state: is, createdAt }) => (
        <LinkedRow
          key={did}
          href={`${address.path}/${encodeURIComponent(did)}`}
          picture={<Identicon did={did} className="size-9" />}
          title={did}
          state={is === "suspended" && <span className="text-small text-danger">Suspended</span>}
        >
          {owner.email} · since <When at={createdAt} now={ctx.now} />
        </LinkedRow>
      ))}
    </AdminList>
  );
}
