import { isSensitive } from "@/lib/protocol/scope";
import { Icon } from "../icon";
import { categoryTitle } from "../words/category";
import { categoryIcon } from "./category-icon";
import { Sensitive } from "./sensitive";

interface CategoryChipProps {
  category: string;
  /** In a list: that it is sensitive is said by colour, on hover and aloud. */
  compact?: boolean;
}

/** A category in words; its identifier on hover. */
export function CategoryChip({ category, compact = false }: CategoryChipProps) {
  const isMarked = isSensitive(category);
  const look =
    compact && isMarked
      ? "border border-sensitive bg-sensitive-soft text-sensitive"
      : "border border-transparent bg-sunken";
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-2">
      <span
        title={compact && isMarked ? `${category}, sensitive` : category}
        className={`inline-flex min-h-6.5 max-w-full items-center gap-1.5 rounded-key px-2 text-small font-medium ${look}`}
      >
        <Icon icon={categoryIcon(category)} className="size-4" />
        <span className={`wrap-anywhere ${compact ? "min-w-0 rail:truncate" : ""}`}>
          {categoryTitle(category)}
          {compact && isMarked && <span className="sr-only"> (sensitive)</span>}
        </span>
      </span>
      {!compact && isMarked && <Sensitive />}
    </span>
  );
}
