import type { ShelveForm } from "./schemas";

export const shelveWords: Record<ShelveForm["how"], string> = {
  archive: "Archive",
  unarchive: "Unarchive",
  delete: "Delete",
  undelete: "Restore",
};
