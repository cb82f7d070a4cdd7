import { z } from "zod";
import { settingNames } from "@/lib/engine/env";
import { Empty, single } from "@/lib/protocol/requests";
import { Timestamp, text } from "@/lib/protocol/resources";
import { NextMeta, PageQuery, type SessionEndpoint } from "../endpoint";
import { SometimesAt } from "../shapes";
import { bodyLike, Changed } from "./shapes";

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

const about = { params: Empty, query: Empty, body: null, meta: Empty, status: 200 } as const;

export const gatewayEndpoints = {
  listSettings: {
    ...about,
    name: "listSettings",
    summary: "List the settings that change while the gateway runs.",
    method: "GET",
    path: "/api/admin/settings",
    data: z.array(Setting),
  },
  changeSetting: {
    ...about,
    name: "changeSetting",
    summary: "Change a setting, on every instance within a second.",
    method: "PUT",
    path: "/api/admin/settings/{name}",
    params: z.object({
      name: z.enum(settingNames).meta({ description: "Its name.", examples: ["SIGN_UP"] }),
    }),
    body: bodyLike(
      z.strictObject({
        value: z.string().max(200).nullable().describe("Null: as the configuration says again."),
      }),
      { value: "invitation" },
    ),
    data: Changed.describe("The change, by the id to revert it with."),
  },
  revertSetting: {
    ...about,
    name: "revertSetting",
    summary: "Take back a change of a setting, unless it was changed again since.",
    method: "POST",
    path: "/api/admin/settings/changes/{changeId}/revert",
    params: z.object({
      changeId: z
        .string()
        .regex(/^evt_[0-9A-Za-z]{1,32}$/, "Must be an id: evt_….")
        .meta({ description: "evt_<id>", examples: ["evt_8uGe2LwF5aTjC0iXo3MqSk"] }),
    }),
    data: Changed,
  },
  describeSystem: {
    ...about,
    name: "describeSystem",
    summary: "How the gateway is: engines, sizes, jobs, limits. No secrets.",
    method: "GET",
    path: "/api/admin/system",
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
        tables: z.array(z.object({ name: z.string(), bytes: z.number(), rows: z.number() })),
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
  listAdminActivity: {
    ...about,
    name: "listAdminActivity",
    summary: "List what admins did, newest first.",
    method: "GET",
    path: "/api/admin/activity",
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
} as const satisfies Record<string, SessionEndpoint>;
