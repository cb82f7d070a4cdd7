import { redirect } from "next/navigation";
import { type Columns, listFormats } from "@/lib/http/session/files/list-texts";
import { adminFile } from "@/lib/http/session/files/own-file";
import { exportAdminEvents } from "@/lib/services/admin/export-admin-events";
import type { AdminEventLine } from "@/lib/services/admin/list-admin-events";
import { activityAddress, filterOf } from "../../filter";

const columns: Columns<AdminEventLine> = [
  ["time", ({ at }) => at.toISOString()],
  ["admin_id", ({ admin }) => admin.id],
  ["admin_email", ({ admin }) => admin.email],
  ["verb", ({ verb }) => verb],
  ["subject", ({ subjectId }) => subjectId],
  ["subject_name", ({ subjectName }) => subjectName],
  ["before", ({ before }) => (before === null ? null : JSON.stringify(before))],
  ["after", ({ after }) => (after === null ? null : JSON.stringify(after))],
  ["request_id", ({ requestId }) => requestId],
  ["event_id", ({ id }) => id],
];
const about = { format: "profile-access-gateway.admin-activity", version: 1 };

/** Exports the admins' actions to a file, with the filters of the page. */
export async function GET(request: Request, { params }: { params: Promise<{ format: string }> }) {
  const { format } = await params;
  if (format !== "csv" && format !== "json") redirect("/admin/activity");
  const { type, texts } = listFormats[format];
  return adminFile(request, ({ ctx }) => ({
    name: `admin-activity-${ctx.now.toISOString().slice(0, 10)}.${format}`,
    type,
    open: async () => {
      const { searchParams } = new URL(request.url);
      const filter = filterOf(activityAddress.read(Object.fromEntries(searchParams)));
      const batches = await exportAdminEvents(ctx, { format, ...filter });
      return texts({ about, columns, batches });
    },
  }));
}
