import { importRoute } from "@/lib/http/session/routes/archive-routes";

/** Such a file, into an empty profile. */
export const POST = importRoute;
