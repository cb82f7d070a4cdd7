import { Caret, Icon } from "../../_components/icon";
import { categoryIcon } from "../../_components/shown/category-icon";
import { InertText } from "../../_components/shown/inert-text";
import { Sensitive } from "../../_components/shown/sensitive";
import { TextLink } from "../../_components/text-link";
import { counted } from "../../_components/words/list";
import { heldWords } from "../access/request/words/grant-words";
import type { HiddenLines, LensGroup, LensGroups } from "./lens-view";

// Items shown at first; the reader opens the rest.
const openItemsMax = 6;

interface GroupsProps {
  groups: LensGroups;
  /** Where all of a category is. */
  hrefOf?: (category: string) => string;
}

/** The categories that are shown, and how many more there are. */
export function Groups({ groups: { groups, more }, hrefOf }: GroupsProps) {
  return (
    <>
      {groups.map((group) => (
        <Group key={group.category} group={group} href={hrefOf?.(group.category)} />
      ))}
      {more > 0 && (
        <p className="text-small text-muted">
          The first {groups.length} of {counted(groups.length + more, "category", "categories")}.
        </p>
      )}
    </>
  );
}

function Group({ group, href }: { group: LensGroup; href: string | undefined }) {
  const { title, sensitive, category, items, more } = group;
  const words = `${more.toLocaleString("en")} more`;
  return (
    <div>
      <h4 className="flex flex-wrap items-center gap-x-2">
        <Icon icon={categoryIcon(category)} />
        <span title={category} className="min-w-0 font-semibold wrap-anywhere">
          {title}
        </span>
        {sensitive && <Sensitive />}
      </h4>
      <p className="pl-7 font-semibold">{heldWords(group)}</p>
      <Items items={items.slice(0, openItemsMax)} />
      {items.length > openItemsMax && (
        <details className="group mt-1.5">
          <Summary>{`${items.length - openItemsMax} more`}</Summary>
          <Items items={items.slice(openItemsMax)} />
        </details>
      )}
      {more > 0 && (
        <p className="mt-1 text-muted">
          {href === undefined ? (
            `and ${words}`
          ) : (
            <TextLink href={href}>Look through all of them: {words}</TextLink>
          )}
        </p>
      )}
    </div>
  );
}

function Items({ items }: Pick<LensGroup, "items">) {
  return (
    <ul className="mt-1 flex flex-col gap-1.5">
      {items.map(({ id, name, text }) => (
        <li key={id} className="rounded-box border border-line bg-surface px-3 py-2">
          {name !== null && (
            <span className="text-muted">
              <InertText text={name} />:{" "}
            </span>
          )}
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
          <span className="block text-small">
            Hidden. <InertText text={why} />
          </span>
        </li>
      ))}
      {more > 0 && (
        <li className="text-small text-muted">
          The first {lines.length} of {counted(lines.length + more, "thing")}.
        </li>
      )}
    </ul>
  );
}

export function Summary({ children }: { children: string }) {
  return (
    <summary className="flex list-none items-center gap-2 text-small font-medium text-muted hover:text-ink max-rail:min-h-11">
      <Caret />
      {children}
    </summary>
  );
}
