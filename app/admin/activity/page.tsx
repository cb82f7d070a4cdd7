import type { Metadata } from "next";
import type { Query } from "@/lib/http/session/address/search-params";
import { adminContext } from "@/lib/http/session/admin";
import {
  type ActingAdmin,
  listAdminEvents,
  listAdmins,
} from "@/lib/services/admin/list-admin-events";
import type { Filter } from "../../_components/lists/filter-bar";
import { selectFilter } from "../../_components/lists/select-filter";
import { Menu, MenuWords, menuItem } from "../../_components/menu";
import { AdminList, perPage } from "../_parts/admin-list";
import { adminVerbs, adminVerbWords, otherActors } from "../words/admin-event";
import { AdminEvent } from "./event";
import { type ActivityValues, activityAddress, filterOf, subjectMax } from "./filter";

export const metadata: Metadata = { title: "Admin activity" };

export default async function ActivityPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx } = await adminContext();
  const values = activityAddress.read(await searchParams);
  const [{ events, next }, admins] = await Promise.all([
    listAdminEvents(ctx, { ...filterOf(values), after: values.before, limit: perPage }),
    listAdmins(ctx),
  ]);
  return (
    <AdminList
      title="Admin activity"
      words="What admins did, and what agents and accounts did to be let in. Entries are added, and never changed."
      beside={<Export values={values} />}
      address={activityAddress}
      values={values}
      filters={filtersOf(values, admins)}
      next={next}
      none="No admin has done anything that matches."
    >
      {events.map((event) => (
        <AdminEvent key={event.id} event={event} now={ctx.now} />
      ))}
    </AdminList>
  );
}

function filtersOf({ admin, verb, subject, from, to }: ActivityValues, admins: ActingAdmin[]) {
  const actors = {
    ...(admin && { [admin]: admin }),
    ...Object.fromEntries(admins.map(({ id, email }) => [id, email])),
    ...otherActors,
  };
  const verbs = Object.fromEntries(adminVerbs.map((one) => [one, adminVerbWords(one)]));
  const words = "DID, id, address or setting";
  return [
    { kind: "search", name: "subject", label: words, value: subject, max: subjectMax },
    selectFilter("admin", "Who", admin, { "": "Anybody", ...actors }),
    selectFilter("verb", "What was done", verb, { "": "Everything", ...verbs }),
    { kind: "day", name: "from", label: "From", value: from },
    { kind: "day", name: "to", label: "To, included", value: to },
  ] satisfies Filter[];
}

function Export({ values }: { values: ActivityValues }) {
  const [, query = ""] = activityAddress.href({ ...values, before: undefined }).split("?");
  return (
    <Menu label="Export this list">
      {["csv", "json"].map((one) => (
        <a key={one} href={`/admin/activity/export/${one}?${query}`} download className={menuItem}>
          <MenuWords icon="download-simple">Export as {one.toUpperCase()}</MenuWords>
        </a>
      ))}
    </Menu>
  );
}
