import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/app/_components/shell/page-header";
import { adminContext } from "@/lib/http/session/admin";
import { parseCursor } from "@/lib/http/session/cursor";
import { listProfiles, type ProfileLine } from "@/lib/services/admin/profiles/list-profiles";
import { Empty } from "../../_components/empty";
import { Pages } from "../../_components/lists/pages";
import { Segments } from "../../_components/lists/segments";
import { Notice } from "../../_components/notice";
import { When } from "../../_components/shown/when";
import { firstParam, placeText, withQuery } from "../query";
import { Search } from "../search";

export const metadata: Metadata = { title: "Profiles" };

const perPage = 50;
const path = "/admin/profiles";
const choices = [
  { state: undefined, text: "All" },
  { state: "active", text: "Active" },
  { state: "suspended", text: "Suspended" },
] as const;

type Query = Record<"search" | "state" | "before" | "deleted", string | string[] | undefined>;

export default async function ProfilesPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx } = await adminContext();
  const query = await searchParams;
  const search = firstParam(query.search);
  const wanted = firstParam(query.state);
  const state = choices.find((one) => one.state !== undefined && one.state === wanted)?.state;
  const before = parseCursor(firstParam(query.before));
  const { profiles, next } = await listProfiles(ctx, {
    search,
    state,
    after: before && { createdAt: before.at, id: Number(before.id) || 0 },
    limit: perPage,
  });
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Profiles">
        Counts and states. What a profile holds is its owner's alone.
      </PageHeader>
      {firstParam(query.deleted) !== undefined && (
        <Notice tone="info">
          The profile is gone, with everything in it. Its DID will never be given out again.
        </Notice>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Search action={path} label="DID or owner" search={search ?? ""} />
        <Segments
          label="Which profiles"
          choices={choices.map((one) => ({
            href: withQuery(path, { search, state: one.state }),
            text: one.text,
            isCurrent: one.state === state,
          }))}
        />
      </div>
      {profiles.length === 0 ? (
        <Empty title="No profile matches">Look for another part of its DID or owner.</Empty>
      ) : (
        <List profiles={profiles} now={ctx.now} />
      )}
      <Pages
        newest={before === undefined ? null : withQuery(path, { search, state })}
        older={
          next === null
            ? null
            : withQuery(path, { search, state, before: placeText(next.createdAt, next.id) })
        }
      />
    </div>
  );
}

function List({ profiles, now }: { profiles: ProfileLine[]; now: Date }) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-box border border-line bg-surface shadow-raised">
      {profiles.map(({ did, owner, state, createdAt }) => (
        <li key={did} className="relative px-4 py-3 hover:bg-sunken sm:px-6">
          <h2 className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <Link
              href={`${path}/${encodeURIComponent(did)}`}
              prefetch={false}
              className="font-mono text-xs break-all after:absolute after:inset-0"
            >
              {did}
            </Link>
            {state === "suspended" && <span className="text-danger">Suspended</span>}
          </h2>
          <p className="text-muted">
            {owner.email} · since <When at={createdAt} now={now} />
          </p>
        </li>
      ))}
    </ul>
  );
}
