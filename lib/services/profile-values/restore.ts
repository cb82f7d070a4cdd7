import type { Ctx } from "../context";
import { type CommonValue, editCommon } from "./edit-common";
import { addNamedValue, type NamedValue } from "./named-values";
import { absentVersion } from "./version";

/** A value with all that is needed to set it again: nothing else keeps it. */
export type RemovedValue = NamedValue | CommonValue;

/** Undo: sets a removed value again, unless another has taken its place. */
export async function restoreValue(
  ctx: Ctx,
  { did, removed }: { did: string; removed: RemovedValue },
): Promise<void> {
  if ("category" in removed) await addNamedValue(ctx, { did, ...removed });
  else await editCommon(ctx, { did, seen: absentVersion, changes: [removed] });
}
