import { Button } from "../../../_components/button";
import { Card } from "../../../_components/card";
import { OfProfile } from "../../../_components/forms/scope";
import { TextLink } from "../../../_components/text-link";
import { formatOptions } from "./sources";

const field = "w-full rounded-control border border-edge bg-surface px-3 py-2";

/** Sends a file or pasted text to a route: what goes through server actions is small. */
export function ImportForm() {
  return (
    <Card title="From a file or as text">
      <form
        action="/api/profile/memories/import"
        method="post"
        encType="multipart/form-data"
        className="flex flex-col gap-4"
      >
        <OfProfile />
        <label className="flex flex-col gap-1.5">
          <span className="font-medium">Paste the memories, one on each line</span>
          <textarea name="text" rows={7} className={`${field} resize-y`} />
        </label>
        <label className="flex flex-col gap-1.5">
          <span className="font-medium">Or choose a file, at most 25 MB and 5,000 memories</span>
          <input
            type="file"
            name="file"
            accept=".json,.jsonl,.txt,.md,.zip,.gz,.mem"
            className={`${field} file:mr-3 file:rounded-box file:border-0 file:bg-sunken file:px-3 file:py-1.5 file:text-ink`}
          />
        </label>
        <label className="flex flex-col gap-1.5">
          <span className="font-medium">Its format</span>
          <select name="format" className="control self-start" defaultValue="">
            <option value="">What its contents show</option>
            {formatOptions.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Button type="submit" look="primary" className="self-start">
          Put them into the inbox
        </Button>
      </form>
      <p className="mt-4 text-small text-muted">
        They wait for 90 days. What you have already does not wait twice, and what looks like an
        attack has a warning. Archives of a whole profile go into an empty one under{" "}
        <TextLink href="/dashboard/settings/export">Export and import</TextLink>.
      </p>
    </Card>
  );
}
