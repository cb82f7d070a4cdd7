import type { ActingAdmin } from "@/lib/services/admin/list-admin-events";
import { Button, ButtonLink } from "../../_components/button";
import { withQuery } from "../query";
import type { narrowedBy } from "./filter";
import { adminVerbs, adminVerbWords, otherActors } from "./sentence";

const path = "/admin/activity";
const field =
  "min-h-10 w-full min-w-0 rounded-box border border-edge bg-surface px-3 text-base sm:text-sm";

interface FiltersProps {
  narrowed: ReturnType<typeof narrowedBy>;
  admins: ActingAdmin[];
}

export function Filters({ narrowed, admins }: FiltersProps) {
  const { admin = "", verb = "", subject = "", from = "", to = "" } = narrowed;
  const known = [...admins.map(({ id, email }) => [id, email]), ...Object.entries(otherActors)];
  const actors = known.some(([id]) => id === admin || admin === "")
    ? known
    : [...known, [admin, admin]];
  return (
    <search>
      <form action={path} className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <label className="flex min-w-0 flex-col gap-1">
          <span className="font-medium">Who</span>
          <select name="admin" key={admin} defaultValue={admin} className={field}>
            <option value="">Anybody</option>
            {actors.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className="flex min-w-0 flex-col gap-1">
          <span className="font-medium">What was done</span>
          <select name="verb" key={verb} defaultValue={verb} className={field}>
            <option value="">Everything</option>
            {adminVerbs.map((one) => (
              <option key={one} value={one}>
                {adminVerbWords(one)}
              </option>
            ))}
          </select>
        </label>
        <label className="flex min-w-0 flex-col gap-1">
          <span className="font-medium">To whom or what</span>
          <input
            name="subject"
            defaultValue={subject}
            placeholder="DID, id, address or setting"
            maxLength={200}
            className={field}
          />
        </label>
        <label className="flex min-w-0 flex-col gap-1">
          <span className="font-medium">From</span>
          <input type="date" name="from" defaultValue={from} className={field} />
        </label>
        <label className="flex min-w-0 flex-col gap-1">
          <span className="font-medium">To, included</span>
          <input type="date" name="to" defaultValue={to} className={field} />
        </label>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="secondary">
            Filter
          </Button>
        </div>
      </form>
      <p className="mt-4 flex flex-wrap gap-2">
        {(["csv", "json"] as const).map((format) => (
          <ButtonLink
            key={format}
            href={withQuery(`${path}/export/${format}`, narrowed)}
            look="quiet"
            download
            prefetch={false}
          >
            Export as {format.toUpperCase()}
          </ButtonLink>
        ))}
      </p>
    </search>
  );
}
