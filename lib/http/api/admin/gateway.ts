import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { settingNames } from "@/lib/engine/env";
import { single } from "@/lib/protocol/requests";
import { Timestamp, text } from "@/lib/protocol/resources";
import { listAdminEvents } from "@/lib/services/admin/list-admin-events";
import { changeSetting, listSettings, revertSetting } from "@/lib/services/admin/settings";
import { describeSystem } from "@/lib/services/admin/system/describe-system";
import { formatCursor, parseCursor } from "../../session/address/cursor";
import { endpoint, NextMeta, PageQuery } from "../endpoint";
import { bodyLike, Done, SometimesAt } from "../shapes";

const Setting = z.object({
  name: z.enum(settingNames),
  value: z.string().describe("In force now."),
  changed: z
    .object({ at: Timestamp, by: z.string().nullable() })
    .nullable()
    .describe("Null where the configuration's word holds."),
  lastChange: z
    .object({ id: z.string(), before: z.string().nullable() })
    .nullable()
    .describe("What revertSetting would take back, and what held before it."),
});

const said = z.record(z.string(), z.unknown()).nullable();

export const gatewayEndpoints = {
  listSettings: endpoint(
    "GET /api/admin/settings",
    {
      summary: "List the settings that change while the gateway runs.",
      data: z.array(Setting),
    },
    async ({ ctx }) => ({
      data: await listSettings(ctx, engine().settings),
    }),
  ),
  changeSetting: endpoint(
    "PUT /api/admin/settings/{name}",
    {
      summary: "Change a setting, on every instance within a second.",
      body: bodyLike(
        z.strictObject({
          value: z.string().max(200).nullable().describe("Null: as the configuration says again."),
        }),
        { value: "invitation" },
      ),
      data: Done.describe("The change, by the id to revert it with."),
    },
    async ({ ctx, params: { name }, body: { value } }) => ({
      data: { id: await changeSetting(ctx, engine().settings, { name, value }) },
    }),
  ),
  revertSetting: endpoint(
    "POST /api/admin/settings/changes/{changeId}/revert",
    {
      summary: "Take back a change of a setting, unless it was changed again since.",
      data: Done,
    },
    async ({ ctx, params: { changeId: id } }) => {
      await revertSetting(ctx, engine().settings, id);
      return { data: { id } };
    },
  ),
  describeSystem: endpoint(
    "GET /api/admin/system",
    {
      summary: "How the gateway is: engines, sizes, jobs, limits. No secrets.",
      data: z.object({
        readiness: z.object({
          ready: z.boolean(),
          problems: z.array(z.string()).describe("One sentence for each check that failed."),
          database: z.object({
            answers: z.boolean(),
            milliseconds: z.number().nullable(),
            clockSkewMs: z.number().nullable(),
          }),
          migrations: z.object({ pending: z.array(z.string()) }).nullable(),
          limits: z.object({ engine: z.string(), healthy: z.boolean() }),
        }),
        versions: z.object({ gateway: z.string(), node: z.string(), postgres: z.string() }),
        database: z.object({
          bytes: z.number(),
          tables: z.array(
            z.object({
              name: z.string(),
              bytes: z.number(),
              rows: z.number().nullable().describe("About; null where PostgreSQL has no estimate."),
            }),
          ),
        }),
        slow: z.object({
          counted: z
            .enum(["yes", "not loaded", "no extension"])
            .describe("Whether PostgreSQL counts statements, and if not what it lacks."),
          statements: z.array(
            z.object({
              statement: z.string().describe("Its form; values are never told."),
              calls: z.number(),
              meanMs: z.number(),
              totalMs: z.number(),
            }),
          ),
        }),
        jobs: z.array(
          z.object({
            name: z.string(),
            everySeconds: z.number(),
            startedAt: SometimesAt.describe("Null where it has not run yet."),
            tookMs: z.number().nullable().describe("Null while it runs."),
            lateSeconds: z.number().describe("How long its next turn is overdue."),
            failures: z.int().describe("Since it last succeeded."),
            failure: z.string().nullable(),
          }),
        ),
        limits: z
          .array(z.object({ class: z.string(), limit: z.int() }))
          .describe("Requests an hour, where an agent has no limit of its own."),
        nearLimits: z.object({
          callers: z
            .array(
              z.object({
                caller: z.string(),
                name: z.string().nullable(),
                class: z.string(),
                used: z.int().describe("Requests within the last hour."),
                limit: z.int().nullable(),
              }),
            )
            .describe("Nearest first."),
          countedBy: z.string(),
          isWhole: z.boolean().describe("Whether all callers of the hour were compared."),
        }),
      }),
    },
    async ({ ctx }) => ({
      data: await describeSystem(ctx, engine()),
    }),
  ),
  listAdminActivity: endpoint(
    "GET /api/admin/activity",
    {
      summary: "List what admins did, newest first.",
      query: PageQuery.extend({
        admin: single()
          .pipe(text({ max: 32 }))
          .optional()
          .describe("Id of who did it."),
        verb: single()
          .pipe(text({ max: 64 }))
          .optional(),
        subject: single()
          .pipe(text({ max: 254 }))
          .optional()
          .describe("To whom or what: an id, an e-mail address or a DID."),
        from: single().pipe(Timestamp).optional().describe("From this instant on."),
        to: single().pipe(Timestamp).optional().describe("Before this instant."),
      }),
      data: z.array(
        z.object({
          id: z.string(),
          at: Timestamp,
          admin: z.object({ id: z.string(), email: z.string().nullable() }),
          verb: z.string(),
          subjectId: z.string().nullable(),
          subjectName: z
            .string()
            .nullable()
            .describe("An address, a DID or a name, as it is now; null once it is erased."),
          before: said,
          after: said,
          requestId: z.string(),
        }),
      ),
      meta: NextMeta,
    },
    async ({ ctx, query: { limit, cursor, admin, subject, verb, from, to } }) => {
      const { events, next } = await listAdminEvents(ctx, {
        adminId: admin,
        subject,
        verb,
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
        after: parseCursor(cursor),
        limit,
      });
      return { data: events, meta: { count: events.length, next: formatCursor(next) } };
    },
  ),
};
