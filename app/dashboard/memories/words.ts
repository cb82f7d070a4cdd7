import type { StateChange } from "@/lib/services/memories/edit";
import type { MemoryState } from "@/lib/services/memories/shown";
import type { IconName } from "../../_components/icon";

/** What can be done with a memory in each state; the most severe is last. */
export const changesOf: Record<MemoryState, readonly StateChange[]> = {
  live: ["archive", "delete"],
  archived: ["unarchive", "delete"],
  deleted: ["undelete"],
};

export const changeNames: Record<StateChange, { text: string; icon: IconName }> = {
  archive: { text: "Archive", icon: "archive" },
  unarchive: { text: "Unarchive", icon: "arrow-counter-clockwise" },
  delete: { text: "Delete", icon: "trash" },
  undelete: { text: "Restore", icon: "arrow-counter-clockwise" },
};

/** What has happened to a memory. */
export const causeWords = {
  created: "Created",
  edited: "Edited",
  moved: "Moved",
  replaced: "Replaced by a newer memory",
  archived: "Archived",
  deleted: "Deleted",
  restored: "Restored",
};
