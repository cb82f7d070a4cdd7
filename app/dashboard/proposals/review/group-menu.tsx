"use client";

import { Menu, MenuWords, menuItem } from "../../../_components/menu";
import { counted } from "../../../_components/words/list";
import { type Group, missingWords } from "./groups";
import type { InboxWork } from "./use-inbox";

interface GroupMenuProps {
  inbox: InboxWork;
  name: string;
  group: Group;
  /** How many wait in it, those too that are not listed yet. */
  count: number;
}

/** Decides a whole group, once each of its cards was looked at; what is sensitive is left. */
export function GroupMenu({ inbox, name, group, count }: GroupMenuProps) {
  const { known, seen, decideGroup } = inbox;
  const { cards } = group;
  const plain = cards.filter(({ category }) => known.categories[category]?.sensitive == null);
  const left = cards.length - plain.length;
  const looked = cards.filter(({ id }) => seen.has(id)).length;
  const ids = plain.map(({ id }) => id);
  const missing = missingWords({ count, listed: cards.length, looked, plain: plain.length });
  return (
    <div className="noscript:hidden">
      <Menu label={`All of ${name}`}>
        {missing === null ? (
          (["approve", "reject"] as const).map((intent) => (
            <button
              key={intent}
              type="button"
              className={menuItem}
              onClick={() => decideGroup(intent, { ids, name })}
            >
              <MenuWords icon={intent === "approve" ? "check" : "x"}>
                {intent === "approve" ? "Approve" : "Reject"} {plain.length}
              </MenuWords>
            </button>
          ))
        ) : (
          <p className="max-w-60 px-3 py-2 text-small">{missing}</p>
        )}
        {left > 0 && plain.length > 0 && (
          <p className="max-w-60 px-3 py-2 text-small text-muted">
            {counted(left, "sensitive one is", "sensitive ones are")} left for you to decide alone.
          </p>
        )}
      </Menu>
    </div>
  );
}
