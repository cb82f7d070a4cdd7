import type { MemoryState } from "@/lib/services/memories/shown";
import { Button } from "../../../_components/button";
import { CategoryField } from "../../../_components/forms/fields/category-field";
import type { Option } from "../../../_components/forms/fields/options";
import { SubmitButton } from "../../../_components/forms/form";
import { Icon } from "../../../_components/icon";
import { changeNames, changesOf } from "../words";

interface BulkBarProps {
  state: MemoryState;
  categories: Option[];
  /** How many are ticked; 0 as long as no script counts them. */
  chosen: number;
}

/** The head of the list: the names of its columns, or what can be done once one is ticked. */
export function BulkBar({ state, categories, chosen }: BulkBarProps) {
  return (
    <div className="sticky top-0 z-1 col-span-full hidden min-h-11 grid-cols-subgrid items-center rounded-t-box border-b border-line bg-surface font-medium text-muted group-has-[[name^=mem\_]:checked]/list:block rail:grid!">
      <label className="hidden size-11 items-center justify-center scripting:cursor-pointer rail:flex">
        <input
          type="checkbox"
          aria-label="Tick all on this page"
          onClick={tickAll}
          className="hidden size-4.5 accent-ink scripting:block"
        />
      </label>
      <div className="col-span-full col-start-2 grid grid-cols-subgrid items-center group-has-[[name^=mem\_]:checked]/list:hidden">
        <span>Memory</span>
        <span className="px-2.5">Category</span>
        <span className="px-2.5">Can read it</span>
        <span className="hidden px-2.5 full:block">From</span>
        <span className="hidden px-2.5 full:block">Kept</span>
      </div>
      <div className="col-span-full col-start-2 hidden flex-wrap items-center gap-2 max-rail:p-3.5 group-has-[[name^=mem\_]:checked]/list:flex">
        <span role="status" className="mr-2 tabular-nums">
          {chosen === 0 ? "Chosen:" : `${chosen} chosen`}
        </span>
        {changesOf[state].map((how) => (
          <SubmitButton
            key={how}
            look={how === "delete" ? "danger" : "secondary"}
            name="how"
            value={how}
            className="self-auto"
          >
            <Icon icon={changeNames[how].icon} className="size-4" />
            {changeNames[how].text}
          </SubmitButton>
        ))}
        {state !== "deleted" && <MoveTo categories={categories} />}
      </div>
    </div>
  );
}

function MoveTo({ categories }: { categories: Option[] }) {
  return (
    <>
      <Button look="secondary" popoverTarget="move-to">
        <Icon icon="folder-simple" className="size-4" />
        Move to…
      </Button>
      <div id="move-to" popover="auto" className="menu w-80 p-4 text-ink">
        <div className="flex flex-col gap-4">
          <CategoryField choices={categories} />
          <SubmitButton name="how" value="move">
            Move
          </SubmitButton>
        </div>
      </div>
    </>
  );
}

// By a click: React takes no notice of a change back to what the box was before its form was reset.
function tickAll({ currentTarget: all }: React.MouseEvent<HTMLInputElement>) {
  for (const box of all.form?.querySelectorAll<HTMLInputElement>("[name^=mem_]") ?? []) {
    box.checked = all.checked;
  }
}
