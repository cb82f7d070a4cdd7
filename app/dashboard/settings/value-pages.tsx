import { z } from "zod";
import { pageBytesMax } from "@/app/_components/lists/page-size";
import { Pages } from "@/app/_components/lists/pages";
import { pageOf } from "@/lib/services/page";
import { countFitting, type FormValue } from "./value-form";

interface ValuesPage<Value> {
  values: Value[];
  start: number;
  total: number;
}

const perPage = 20;
const From = z.string().regex(/^\d{1,5}$/);

/** Returns the values that one form shows, from a place in the list. */
export function pageOfValues<Value extends FormValue>(
  all: readonly Value[],
  from: string | undefined,
): ValuesPage<Value> {
  const start = Number(From.safeParse(from).data ?? 0);
  const { page } = pageOf(all.slice(start, start + perPage + 1), {
    limit: perPage,
    // A value is in its field once more.
    bytesMax: pageBytesMax / 2,
  });
  return { values: page.slice(0, countFitting(page)), start, total: all.length };
}

export function ValuePages({ page, here }: { page: ValuesPage<FormValue>; here: string }) {
  const { values, start, total } = page;
  const end = start + values.length;
  if (values.length === total) return null;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-6">
      <p className="text-small text-muted">
        {Math.min(start + 1, total)} to {end} of {total}. Save before you turn the page.
      </p>
      <Pages
        newest={start === 0 ? null : here}
        older={end < total ? `${here}?from=${end}` : null}
        words={{ first: "First", next: "Next" }}
      />
    </div>
  );
}
