import { choice, searchParams } from "@/lib/http/session/address/search-params";
import { programIds } from "./programs/programs";

/** Which program the steps are for. */
export const connectAddress = searchParams("/dashboard/connect", {
  with: choice(programIds, "claude-code"),
});
