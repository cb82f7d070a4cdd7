import { exportRoute } from "@/lib/http/session/routes/archive-routes";

/** A profile of whoever is signed in, as one file. */
export const GET = exportRoute;
