import { InertText } from "../../_components/shown/inert-text";
import { Sensitive } from "../../_components/shown/sensitive";
import { counted } from "../../_components/words/list";
import type { HiddenLines, LensGroup, LensGroups, LensView } from "./lens-view";

// Items shown at first; the reader opens the rest.
const openItemsMax = 6;

interface LensProps {
  view: LensView;
  agentName: string;
  /** How it compares with what is seen now; said of a grant where left out. */
  summary?: string;
}

/** The very data, as the agent would get it. */
export function Lens({ view, agentName, summary }: LensProps) {
  const { added, groups, already, lost, hidden, elsewhere } = view;
  return (
    <section
      aria-label="What it would see"
      className="flex flex-col gap-5 rounded-box bg-sunken p-4 sm:p-5"
    >
      <div>
        <h3 className="font-medium">
          What <InertText text={agentName} /> would see
        </h3>
        <p aria-live="polite" className="text-muted">
          {summary ??
            (added === 0
              ? "Nothing more than now. Switch on what it may read."
              : `${counted(added, "item")} that it cannot see now.`)}
        </p>
      </div>
      <Groups groups={groups} />
      {hidden.lines.length > 0 && <Hidden lines={hidden} />}
      {lost.groups.length > 0 && (
        <div className="flex flex-col gap-4">
          <p className="text-xs font-medium text-danger">No longer sees</p>
          <Groups groups={lost} />
        </div>
      )}
      {already.groups.length > 0 && (
        <details className="group">
          <Summary>Sees already</Summary>
          <div className="mt-3 flex flex-col gap-4">
            <Groups groups={already} />
          </div>
        </details>
      )}
      {elsewhere.lines.length > 0 && (
        <details className="group">
          <Summary>Everything else stays hidden</Summary>
          <div className="mt-3">
            <Hidden lines={elsewhere} />
          </div>
        </details>
      )}
    </section>
  );
}

/** The categories that are shown, and how many more there are. */
export function Groups({ groups: { groups, more } }: { groups: LensGroups }) {
  return (
    <>
      {groups.map((group) => (
        <Group key={group.category} group={group} />
      ))}
      {more > 0 && (
        <p className="text-xs text-muted">
          The first {groups.length} of {counted(groups.length + more, "category", "categories")}.
        </p>
      )}
    </>
  );
}

function Group({ group: { title, sensitive, category, items, more } }: { group: LensGroup }) {
  return (
    <div>
      <h4 className="flex flex-wrap items-baseline gap-x-2 text-xs font-medium text-muted">
        <span title={category} className="min-w-0 wrap-anywhere">
          {title}
        </span>
        {sensitive && <Sensitive />}
      </h4>
      <Items items={items.slice(0, openItemsMax)} />
      {items.length > openItemsMax && (
        <details className="group mt-1.5">
          <Summary>{`${items.length - openItemsMax} more`}</Summary>
          <Items items={items.slice(openItemsMax)} />
        </details>
      )}
      {more > 0 && <p className="mt-1 text-xs text-muted">and {more.toLocaleString("en")} more</p>}
    </div>
  );
}

function Items({ items }: Pick<LensGroup, "items">) {
  return (
    <ul className="mt-1 flex flex-col gap-1.5">
      {items.map(({ id, name, text }) => (
        <li key={id} className="rounded-box border border-line bg-surface px-3 py-2">
          {name !== null && <span className="text-muted">{name}: </span>}
          <InertText text={text} />
        </li>
      ))}
    </ul>
  );
}

export function Hidden({ lines: { lines, more } }: { lines: HiddenLines }) {
  return (
    <ul className="flex flex-col gap-2">
      {lines.map(({ category, title, what, why }) => (
        <li
          key={`${category} ${why}`}
          className="rounded-box border border-dashed border-edge/60 px-3 py-2 text-muted"
        >
          <span className="block wrap-anywhere" title={category}>
            <span className="font-medium">{title}</span> · {what}
          </span>
          <span className="block text-xs">
            Hidden. <InertText text={why} />
          </span>
        </li>
      ))}
      {more > 0 && (
        <li className="text-xs text-muted">
          The first {lines.length} of {counted(lines.length + more, "thing")}.
        </li>
      )}
    </ul>
  );
}

export function Summary({ children }: { children: string }) {
  return (
    <summary className="flex list-none items-center gap-2 text-xs font-medium text-muted hover:text-ink">
      <svg
        viewBox="0 0 12 12"
        className="size-3 group-open:rotate-90 motion-safe:transition-transform"
        aria-hidden="true"
      >
        <path d="M4 2.5 8 6 4 9.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
      {children}
    </summary>
  );
}
