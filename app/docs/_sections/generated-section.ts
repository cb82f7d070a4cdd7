import type { ReactNode } from "react";
import type { FieldRow } from "../_parts/schema";

/** A section that is made from the code of the gateway and not from a file of `docs/`. */
export interface GeneratedSection {
  id: string;
  title: string;
  /** What the search looks through. */
  text: string;
  body: ReactNode;
}

/** Returns what rows say, for the search. */
export function rowsText(rows: readonly FieldRow[]): string {
  return rows
    .map(({ name, description }) => `${name} ${description.replace(/\.$/, "")}`.trim())
    .join("; ");
}

/** Returns the first part of an endpoint's summary. */
export function headingOf(summary: string): string {
  const [first = ""] = summary.split(/[.;:](?= |$)/);
  return first.replaceAll("`", "");
}
