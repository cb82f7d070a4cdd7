import { z } from "zod";

/** What an admin takes back: the id is that of the admin event. */
export const UndoForm = z.object({
  kind: z.literal("setting"),
  id: z.string().regex(/^evt_[0-9A-Za-z]{1,32}$/, "Not something that can be undone."),
});
