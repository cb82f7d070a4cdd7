import { z } from "zod";
import {
  choice,
  param,
  place,
  searchParams,
  words,
} from "@/lib/http/session/address/search-params";
import { Category } from "@/lib/protocol/scope";
import { memorySorts, searchMax } from "@/lib/services/memories/browse";
import { memoryStates } from "@/lib/services/memories/shown";

/** What the list of memories shows, as its address says it. */
export const memoriesPage = searchParams("/dashboard/memories", {
  q: words(searchMax),
  category: param(Category),
  source: param(z.string()),
  state: choice(memoryStates, "live"),
  sort: choice(memorySorts, "newest"),
  after: place,
  /** Whether the form that adds a memory is open. */
  add: param(z.literal("1")),
});

export type MemoriesView = ReturnType<typeof memoriesPage.read>;

export function isNarrowed({ q, category, source }: MemoriesView): boolean {
  return q !== undefined || category !== undefined || source !== undefined;
}
