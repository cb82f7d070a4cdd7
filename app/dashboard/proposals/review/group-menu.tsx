"use client";

import { Menu, MenuWords, menuItem } from "../../../_components/menu";
import { counted } from "../../../_components/words/list";
import { missingWords } from "./groups";
import type { InboxWork } from "./use-inbox";

export interface GroupMenuProps {
  name: string;
  /** How many wait in it, those too that are not listed yet. */
  count: number;
  listed: number;
  looked: number;
  /** The ids of the listed ones that may be decided together, as one text: equal ones are not drawn again. */
  plainIds: string;
  decide: InboxWork["decideGroup"];
}

/** Decides a whole group, once each of its cards was looked at; what is sensitive or flagged is left. */
export function GroupMenu({ name, count, listed, looked, plainIds, decide }: GroupMenuProps) {
  const ids = plainIds.split(",").filter(Boolean);
  const left = listed - ids.length;
  const missing = missingWords({ count, listed, looked, plain: ids.length });
  return (
    <div className="noscript:hidden">
      <Menu label={`All of ${name}`}>
        {missing === null ? (
          (["approve", "reject"] as const).map((intent) => (
            <button
              key={intent}
              type="button"
              className={menuItem}
              onClick={({ currentTarget }) => {
                currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
                decide(intent, { ids, name });
              }}
            >
              <MenuWords icon={intent === "approve" ? "check" : "x"}>
                {intent === "approve" ? "Approve" : "Reject"} {ids.length}
              </MenuWords>
            </button>
          ))
        ) : (
          <p className="max-w-60 px-3 py-2 text-small">{missing}</p>
        )}
        {left > 0 && ids.length > 0 && (
          <p className="max-w-60 px-3 py-2 text-small text-muted">
            {counted(left, "of them is", "of them are")} left to be decided alone.
          </p>
        )}
      </Menu>
    </div>
  );
}
