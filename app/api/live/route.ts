import { liveRoute } from "@/lib/http/session/routes/live-route";

/** Tells the dashboard's pages that something of their profile changed. */
export const GET = liveRoute;
