import { z } from "zod";
import { Empty } from "@/lib/protocol/requests";
import { Timestamp } from "@/lib/protocol/resources";
import type { SessionEndpoint } from "./endpoint";

export const confirmingEndpoints = {
  confirmSession: {
    name: "confirmSession",
    summary:
      "Confirm that it is you, for ten minutes of changes that last. The answer sets a new session cookie; the one before it ends.",
    method: "POST",
    path: "/api/session/confirm",
    params: Empty,
    query: Empty,
    body: z
      .object({
        password: z.string().min(1).max(1_000).describe("Yours; it is counted like a sign-in."),
      })
      .meta({ examples: [{ password: "a quiet lamp over the harbour" }] }),
    data: z.object({
      confirmedUntil: Timestamp.describe("Until then this session may make changes that last."),
    }),
    meta: Empty,
    status: 200,
  },
} as const satisfies Record<string, SessionEndpoint>;
