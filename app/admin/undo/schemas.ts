import { z } from "zod";
import { idOf } from "@/lib/http/session/form-fields";

/** Undoes a change by an admin. The id is that of its admin event. */
export const UndoForm = z.object({
  kind: z.literal("setting"),
  id: idOf("evt", "something that can be undone"),
});
