import Link from "next/link";
import { type ConnectionState, connectionStates } from "@/lib/services/agents/known/list-known";
import { Button } from "../../_components/button";
import { Segments } from "../../_components/lists/segments";

export interface Narrowed {
  standing?: ConnectionState;
  search?: string;
}

export function agentsHref({ standing, search }: Narrowed, before?: string): string {
  const query = new URLSearchParams();
  if (standing !== undefined) query.set("standing", standing);
  if (search !== undefined) query.set("search", search);
  if (before !== undefined) query.set("before", before);
  const text = query.toString();
  return `/dashboard/agents${text === "" ? "" : `?${text}`}`;
}

const labels: Record<ConnectionState, string> = {
  connected: "Connected",
  seen: "Seen only",
  disconnected: "Disconnected",
};

/** A plain form and plain links: what is shown stands in the address. */
export function Filters({ narrowed }: { narrowed: Narrowed }) {
  const { standing, search } = narrowed;
  return (
    <search className="flex flex-wrap items-center gap-3">
      <Segments
        label="Which agents"
        choices={[undefined, ...connectionStates].map((one) => ({
          href: agentsHref({ standing: one, search }),
          text: one === undefined ? "All" : labels[one],
          isCurrent: one === standing,
        }))}
      />
      <form action="/dashboard/agents" className="flex min-w-0 flex-1 basis-64 items-center gap-3">
        {standing !== undefined && <input type="hidden" name="standing" value={standing} />}
        <label htmlFor="agents-search" className="sr-only">
          Part of a name or DID
        </label>
        <input
          id="agents-search"
          type="search"
          name="search"
          key={search}
          defaultValue={search}
          maxLength={144}
          placeholder="Name or DID"
          className="min-h-10 min-w-0 flex-1 rounded-box border border-edge bg-surface px-3 text-base sm:max-w-60 sm:text-sm"
        />
        <Button type="submit" look="secondary">
          Search
        </Button>
        {search !== undefined && (
          <Link
            href={agentsHref({ standing })}
            className="font-medium text-accent underline underline-offset-4"
          >
            Clear
          </Link>
        )}
      </form>
    </search>
  );
}
