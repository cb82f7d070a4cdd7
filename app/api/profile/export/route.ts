import { exportRoute } from "@/lib/http/session/routes/archive-routes";

/** Returns a profile of the signed-in user as one file. */
export const GET = exportRoute;
