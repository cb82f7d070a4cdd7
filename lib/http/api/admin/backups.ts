import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { Timestamp } from "@/lib/protocol/resources";
import { findBackups, startBackup } from "@/lib/services/admin/system/backups";
import { endpoint } from "../endpoint";
import { Done, SometimesAt } from "../shapes";

const Backup = z.object({
  name: z.string(),
  bytes: z.int(),
  summary: z
    .object({ bytes: z.int(), madeAt: Timestamp, version: z.string(), rows: z.int() })
    .nullable()
    .describe("Null where the file may be incomplete."),
});

const State = z.object({
  startedAt: SometimesAt.describe("Of the latest; null where there was none."),
  isRunning: z.boolean(),
  failure: z.string().nullable().describe("Why the latest failed; null where it did not."),
  last: z
    .object({ file: z.string(), bytes: z.int(), madeAt: Timestamp, tookMs: z.number() })
    .nullable()
    .describe("The latest that succeeded."),
});

export const backupEndpoints = {
  listBackups: endpoint(
    "GET /api/admin/backups",
    {
      summary: "List the backups that are kept, newest first, and what became of the latest.",
      data: z.object({
        state: State,
        place: z.string().describe("The folder or bucket of BACKUP_URL."),
        kept: z.array(Backup),
        trouble: z.string().nullable().describe("Why they could not be listed."),
      }),
    },
    async ({ ctx }) => ({ data: await findBackups(ctx, engine()) }),
  ),
  startBackup: endpoint(
    "POST /api/admin/backups",
    {
      summary: "Start a backup to where BACKUP_URL says, unless one is being made.",
      data: Done.describe("The start, by its id in the activity of admins."),
    },
    async ({ ctx }) => ({ data: await startBackup(ctx, engine()) }),
  ),
};
