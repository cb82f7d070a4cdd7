import { importMemoriesRoute } from "@/lib/http/session/routes/memories/import-route";

/** Memories of other products, as proposals. */
export const POST = importMemoriesRoute;
