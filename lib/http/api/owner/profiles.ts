import { z } from "zod";
import { ProfileMeta } from "@/lib/protocol/answers/answer-meta";
import { Profile } from "@/lib/protocol/answers/profile";
import { Did } from "@/lib/protocol/did";
import { ProfileQuery } from "@/lib/protocol/requests";
import { getProfile } from "@/lib/services/profiles";
import { endpoint } from "../endpoint";

export const profileEndpoints = {
  listProfiles: endpoint(
    "GET /api/profiles",
    {
      summary: "List your profiles.",
      data: z.array(z.object({ did: Did })),
      meta: z.object({ count: z.int() }),
    },
    async ({ who: { profiles } }) => ({
      data: profiles.map(({ did }) => ({ did: Did.parse(did) })),
      meta: { count: profiles.length },
    }),
  ),
  getProfile: endpoint(
    "GET /api/profiles/{did}",
    {
      summary: "Read all of a profile.",
      query: ProfileQuery,
      data: Profile,
      meta: ProfileMeta,
    },
    ({ ctx, params: { did }, query }) => getProfile(ctx, { did, scopes: query.scopes }),
  ),
};
