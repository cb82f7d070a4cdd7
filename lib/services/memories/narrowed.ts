import type { BrowseAsked } from "./browse";
import { stateIs } from "./shown";

export type Narrowing = Pick<BrowseAsked, "category" | "source" | "state">;

/** A value's place in a statement that is being put together. */
export type Bind = (value: unknown) => string;

/** Of `"Memory" m`: which ones are meant. */
export function narrowed(profileId: number, { category, source, state }: Narrowing) {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = [`m."profileId" = ${bind(profileId)}`, stateIs[state]];
  if (category !== undefined) {
    const below = bind(`${category}.`);
    conditions.push(`(m.category = ${bind(category)} OR starts_with(m.category, ${below}))`);
  }
  if (source !== undefined) {
    conditions.push(
      source === "owner" || source === "imported"
        ? `m.source = ${bind(source)}::"MemorySource"`
        : `m."agentDid" = ${bind(source)}`,
    );
  }
  return { where: conditions.join(" AND "), values, bind };
}
