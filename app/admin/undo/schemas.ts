import { z } from "zod";
import { idOf } from "@/lib/http/session/form-fields";

/** What an admin takes back: the id is that of the admin event. */
export const UndoForm = z.object({
  kind: z.literal("setting"),
  id: idOf("evt", "something that can be undone"),
});
