import type { ReactNode } from "react";
import { Button } from "../_components/button";

interface SearchProps {
  action: string;
  label: string;
  search: string;
  /** Further fields of the form. */
  children?: ReactNode;
}

/** A plain form: its answers stand in the address. */
export function Search({ action, label, search, children }: SearchProps) {
  return (
    <search>
      <form action={action} className="flex flex-wrap items-center gap-2 sm:gap-3">
        <label htmlFor="search" className="sr-only">
          {label}
        </label>
        <input
          id="search"
          type="search"
          name="search"
          defaultValue={search}
          placeholder={label}
          maxLength={200}
          className="min-h-10 min-w-0 flex-1 basis-48 rounded-box border border-edge bg-surface px-3 text-base sm:w-72 sm:flex-none sm:text-sm"
        />
        {children}
        <Button type="submit" look="secondary">
          Search
        </Button>
      </form>
    </search>
  );
}
