import { searchParams, words } from "@/lib/http/session/address/search-params";

export const queryMax = 100;

export const docsSearch = searchParams("/docs/search", { q: words(queryMax) });
