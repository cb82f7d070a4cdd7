import { redirect } from "next/navigation";
import { exportFormats } from "@/app/dashboard/activity/export/texts";
import { adminFile } from "@/lib/http/session/files/own-file";
import { exportAdminEvents } from "@/lib/services/admin/export-admin-events";
import { filterOf } from "../../filter";
import { exportTexts } from "../texts";

const types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" };

/** Exports the admins' actions to a file, with the filters of the page. */
export async function GET(request: Request, { params }: { params: Promise<{ format: string }> }) {
  const { format: given } = await params;
  const format = exportFormats.find((one) => one === given);
  if (format === undefined) redirect("/admin/activity");
  return adminFile(request, ({ ctx }) => {
    const filter = filterOf(Object.fromEntries(new URL(request.url).searchParams));
    return {
      name: `admin-activity-${ctx.now.toISOString().slice(0, 10)}.${format}`,
      type: types[format],
      open: async () => exportTexts[format](await exportAdminEvents(ctx, { format, ...filter })),
    };
  });
}
