import { Button } from "../../../_components/button";
import { Icon } from "../../../_components/icon";
import { docsSearch, queryMax } from "./address";

interface SearchFormProps {
  label: string;
  value?: string;
}

/** A plain form, which works without scripts. */
export function SearchForm({ label, value }: SearchFormProps) {
  return (
    <search aria-label={label}>
      <form action={docsSearch.path} className="flex gap-2">
        <input
          type="search"
          name="q"
          aria-label={label}
          placeholder={label}
          defaultValue={value}
          maxLength={queryMax}
          className="w-full control"
        />
        <Button type="submit" look="secondary" title={label}>
          <Icon icon="magnifying-glass" className="size-4" />
          <span className="sr-only">Search</span>
        </Button>
      </form>
    </search>
  );
}
