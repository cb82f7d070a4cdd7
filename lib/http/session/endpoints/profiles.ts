import { z } from "zod";
import { ProfileMeta } from "@/lib/protocol/answers/answer-meta";
import { Did } from "@/lib/protocol/did";
import { Empty, ProfileParams, ProfileQuery } from "@/lib/protocol/requests";
import { Profile } from "@/lib/protocol/resources";
import type { SessionEndpoint } from "./endpoint";

export const profileEndpoints = {
  listProfiles: {
    name: "listProfiles",
    summary: "List your profiles.",
    method: "GET",
    path: "/api/profiles",
    params: Empty,
    query: Empty,
    body: null,
    data: z.array(z.object({ did: Did })),
    meta: z.object({ count: z.int() }),
    status: 200,
  },
  getProfile: {
    name: "getProfile",
    summary: "Read all of a profile.",
    method: "GET",
    path: "/api/profiles/{did}",
    params: ProfileParams,
    query: ProfileQuery,
    body: null,
    data: Profile,
    meta: ProfileMeta,
    status: 200,
  },
} as const satisfies Record<string, SessionEndpoint>;
