import { categoryTitle, isSensitive } from "../words/category";
import { Sensitive } from "./sensitive";

interface CategoryChipProps {
  category: string;
}

/** A category in words; the one that it is for a machine, on hover. */
export function CategoryChip({ category }: CategoryChipProps) {
  return (
    <span
      title={category}
      className="inline-flex max-w-full items-center gap-2 rounded-box bg-sunken px-2 py-0.5 text-xs font-medium text-ink"
    >
      <span className="wrap-anywhere">{categoryTitle(category)}</span>
      {isSensitive(category) && <Sensitive />}
    </span>
  );
}
