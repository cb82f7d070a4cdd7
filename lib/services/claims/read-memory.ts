import type { Db, Tx } from "@/lib/engine/db";
import { likeTextOf } from "@/lib/rules/likeness/like-text";
import { readKinds } from "./read-flags";

/** Returns the columns of a memory that follow from its text. */
export async function readMemory(db: Db | Tx, profileId: number, content: string) {
  return { flags: await readKinds(db, profileId, content), likeText: likeTextOf(content) };
}
