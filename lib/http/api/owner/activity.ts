import { z } from "zod";
import { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { Did } from "@/lib/protocol/did";
import { single } from "@/lib/protocol/requests";
import { Timestamp } from "@/lib/protocol/resources";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { activityKinds } from "@/lib/services/activity/kinds";
import { listActivity } from "@/lib/services/activity/list-activity";
import { exportProfile } from "@/lib/services/archive/export";
import { formatCursor, parseCursor } from "../../session/address/cursor";
import { sendFile } from "../../session/files/own-file";
import { endpoint, NextMeta, PageQuery } from "../endpoint";
import { Agent } from "../shapes";

export const activityEndpoints = {
  listActivity: endpoint(
    "GET /api/profiles/{did}/activity",
    {
      summary: "List what happened to a profile, newest first.",
      query: PageQuery.extend({
        actor: single().pipe(Did).optional().describe("DID of who acted: an agent, or you."),
        kind: single().pipe(z.enum(activityKinds)).optional(),
        outcome: single()
          .pipe(z.enum(["ok", "refused"]))
          .optional(),
        from: single().pipe(Timestamp).optional().describe("From this instant on."),
        to: single().pipe(Timestamp).optional().describe("Before this instant."),
      }),
      data: z.array(
        z.object({
          id: z.string(),
          at: Timestamp,
          verb: z.string(),
          outcome: z.string().describe("`ok`, or the code of the error."),
          actor: z.enum(["agent", "owner", "admin", "system", "reviewer"]),
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
    },
    async ({ ctx, params: { did }, query: { cursor, from, to, ...query } }) => {
      const input = {
        did,
        ...query,
        from: dateOf(from),
        to: dateOf(to),
        after: parseCursor(cursor),
      };
      const { events, next } = await listActivity(ctx, input);
      return {
        data: events.map(eventOf),
        meta: { count: events.length, next: formatCursor(next) },
      };
    },
  ),
  exportProfile: endpoint(
    "GET /api/profiles/{did}/export",
    {
      summary: "Export a profile as one JSON file, without an envelope around it.",
      data: ProfileArchive,
    },
    async ({ request, ctx, who: { userId }, params }) =>
      sendFile(request, {
        userId,
        name: "profile.json",
        type: "application/json; charset=utf-8",
        open: () => exportProfile(ctx, params),
      }),
  ),
};

function dateOf(instant: string | undefined): Date | undefined {
  return instant === undefined ? undefined : new Date(instant);
}

// Reasons and details are the dashboard's own words, which may change; the export has them.
function eventOf({ reasons: _reasons, detail: _detail, actorId: _actor, ...event }: ActivityEvent) {
  return event;
}
