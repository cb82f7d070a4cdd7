import { Card } from "../../_components/card";
import { exportHref, given, type Narrowed } from "./filter";
import { Verify } from "./verify/verify";

/** Taking the log along, and making sure of it. */
export function ExportPanel({ narrowed }: { narrowed: Narrowed }) {
  const isNarrowed = given(narrowed).length > 0;
  const link =
    "inline-flex min-h-10 items-center rounded-box border border-edge bg-surface px-4 font-medium hover:bg-sunken";
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Card title="Take it along">
        <p className="text-muted">
          {isNarrowed
            ? "The events that match what you filtered."
            : "All events, as a table or with everything the log holds."}{" "}
          The JSON file says how anybody can check its seals.
        </p>
        {/* Files, not pages: plain links, which nobody loads ahead. */}
        <p className="mt-4 flex flex-wrap gap-3">
          <a href={exportHref("csv", narrowed)} type="text/csv" className={link}>
            Export CSV
          </a>
          <a href={exportHref("json", narrowed)} type="application/json" className={link}>
            Export JSON
          </a>
        </p>
      </Card>
      <Card title="Make sure of it">
        <p className="mb-4 text-muted">
          Each event is sealed together with the one before it, so that a change or a gap shows.
        </p>
        <Verify />
      </Card>
    </div>
  );
}
