import { z } from "zod";
import { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { Did } from "@/lib/protocol/did";
import { Empty, ProfileParams, single } from "@/lib/protocol/requests";
import { Timestamp } from "@/lib/protocol/resources";
import { activityKinds } from "@/lib/services/activity/kinds";
import { NextMeta, PageQuery, type SessionEndpoint } from "./endpoint";
import { Agent } from "./shapes";

export const activityEndpoints = {
  listActivity: {
    name: "listActivity",
    summary: "List what happened to a profile, newest first.",
    method: "GET",
    path: "/api/profiles/{did}/activity",
    params: ProfileParams,
    query: PageQuery.extend({
      actor: single().pipe(Did).optional().describe("DID of who acted: an agent, or you."),
      kind: single().pipe(z.enum(activityKinds)).optional(),
      outcome: single()
        .pipe(z.enum(["ok", "refused"]))
        .optional(),
      from: single().pipe(Timestamp).optional().describe("From this instant on."),
      to: single().pipe(Timestamp).optional().describe("Before this instant."),
    }),
    body: null,
    data: z.array(
      z.object({
        id: z.string(),
        at: Timestamp,
        verb: z.string(),
        outcome: z.string().describe("`ok`, or the code of the error."),
        actor: z.enum(["agent", "owner", "admin", "system"]),
        agent: Agent.nullable().describe("Who acted, where an agent did."),
        about: Agent.nullable().describe("The agent that an act of somebody else's is about."),
        asked: z.array(z.string()),
        granted: z.array(z.string()),
        denied: z.array(z.string()),
        items: z.record(z.string(), z.int()).describe("Category to how many items left."),
        purposeType: z.string().nullable(),
        receiptId: z.string().nullable(),
        subjectId: z.string().nullable().describe("What was acted on, by its id."),
        requestId: z.string(),
      }),
    ),
    meta: NextMeta,
    status: 200,
  },
  exportProfile: {
    name: "exportProfile",
    summary: "Export a profile as one JSON file, without an envelope around it.",
    method: "GET",
    path: "/api/profiles/{did}/export",
    params: ProfileParams,
    query: Empty,
    body: null,
    data: ProfileArchive,
    meta: Empty,
    status: 200,
  },
} as const satisfies Record<string, SessionEndpoint>;
