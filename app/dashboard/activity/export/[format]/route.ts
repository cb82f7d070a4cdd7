import { redirect } from "next/navigation";
import { readerZone } from "@/app/_components/shell/reader-zone";
import { ownFile } from "@/lib/http/session/files/own-file";
import { exportActivity } from "@/lib/services/activity/export-activity";
import { exportParams, filterOf } from "../../params";
import { exportFormats, exportTexts } from "../texts";

const types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" };

/** The access log of the chosen profile as a file, narrowed like the page. */
export async function GET(request: Request, { params }: { params: Promise<{ format: string }> }) {
  const { format: given } = await params;
  const format = exportFormats.find((one) => one === given);
  if (format === undefined) redirect("/dashboard/activity");
  return ownFile(request, ({ ctx, profile: { did } }) => {
    const filter = exportParams(format).read(Object.fromEntries(new URL(request.url).searchParams));
    const about = { profile: did, exportedAt: ctx.now, filter };
    return {
      name: `activity-${ctx.now.toISOString().slice(0, 10)}.${format}`,
      type: types[format],
      open: async () => {
        const reader = { did, now: ctx.now, zone: await readerZone() };
        const batches = await exportActivity(ctx, { did, format, ...filterOf(filter, reader) });
        return exportTexts[format]({ ...about, batches });
      },
    };
  });
}
