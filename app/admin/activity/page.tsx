import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/shell/page-header";
import { adminContext } from "@/lib/http/session/admin";
import { parseCursor } from "@/lib/http/session/cursor";
import {
  type AdminEventLine,
  listAdminEvents,
  listAdmins,
} from "@/lib/services/admin/list-admin-events";
import { Empty } from "../../_components/empty";
import { Pages } from "../../_components/lists/pages";
import { InertText } from "../../_components/shown/inert-text";
import { When } from "../../_components/shown/when";
import { firstParam, placeText, withQuery } from "../query";
import { filterOf, type Input, narrowedBy } from "./filter";
import { Filters } from "./filters";
import { adminVerbWords, changesOf, otherActors } from "./sentence";

export const metadata: Metadata = { title: "Admin activity" };

const perPage = 50;
const path = "/admin/activity";

export default async function ActivityPage({ searchParams }: { searchParams: Promise<Input> }) {
  const { ctx } = await adminContext();
  const query = await searchParams;
  const narrowed = narrowedBy(query);
  const after = parseCursor(firstParam(query.before));
  const [{ events, next }, admins] = await Promise.all([
    listAdminEvents(ctx, { ...filterOf(query), after, limit: perPage }),
    listAdmins(ctx),
  ]);
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Admin activity">
        Everything that admins did, and what agents and accounts did at this gateway's door. It can
        be added to, and never changed.
      </PageHeader>
      <Filters narrowed={narrowed} admins={admins} />
      {events.length === 0 ? (
        <Empty title="Nothing here">No admin has done anything that matches.</Empty>
      ) : (
        <ol className="flex flex-col divide-y divide-line rounded-box border border-line bg-surface shadow-raised">
          {events.map((event) => (
            <li key={event.id} className="px-4 py-3 sm:px-6">
              <Line event={event} now={ctx.now} />
            </li>
          ))}
        </ol>
      )}
      <Pages
        newest={after === undefined ? null : withQuery(path, narrowed)}
        older={
          next === null
            ? null
            : withQuery(path, { ...narrowed, before: placeText(next.at, next.id) })
        }
      />
    </div>
  );
}

function Line({ event, now }: { event: AdminEventLine; now: Date }) {
  const { admin, verb, subjectId, subjectName, at } = event;
  const changes = changesOf(event);
  const isSelf = subjectId === admin.id;
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-6">
        <span className="min-w-0 wrap-anywhere">
          <span className="font-medium">
            {admin.email ?? otherActors[admin.id] ?? "Somebody whose account is gone"}
          </span>{" "}
          {adminVerbWords(verb)}
          {subjectId !== null && !isSelf && (
            <>
              {" "}
              {subjectName !== null && (
                <>
                  <span className="font-medium">
                    <InertText text={subjectName} />
                  </span>{" "}
                </>
              )}
              <code className="font-mono text-xs">
                <InertText text={subjectId} />
              </code>
            </>
          )}
        </span>
        <span className="text-xs text-muted">
          <When at={at} now={now} />
        </span>
      </p>
      {changes.length > 0 && (
        <ul className="mt-1 text-muted">
          {changes.map((change) => (
            <li key={change}>
              <InertText text={change} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
