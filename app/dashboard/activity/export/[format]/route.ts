import { redirect } from "next/navigation";
import { ownFile } from "@/lib/http/session/files/own-file";
import { exportActivity } from "@/lib/services/activity/export-activity";
import { filterOf, narrowedBy } from "../../filter";
import { exportFormats, exportTexts } from "../texts";

const types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" };

/** The access log of the chosen profile as a file, narrowed like the page. */
export async function GET(request: Request, { params }: { params: Promise<{ format: string }> }) {
  const { format: given } = await params;
  const format = exportFormats.find((one) => one === given);
  if (format === undefined) redirect("/dashboard/activity");
  return ownFile(request, ({ ctx, profile: { did } }) => {
    const narrowed = narrowedBy(Object.fromEntries(new URL(request.url).searchParams));
    const filter = filterOf(narrowed, { did, now: ctx.now });
    const about = { profile: did, exportedAt: ctx.now, narrowed };
    return {
      name: `activity-${ctx.now.toISOString().slice(0, 10)}.${format}`,
      type: types[format],
      open: async () => {
        const batches = await exportActivity(ctx, { did, format, ...filter });
        return exportTexts[format]({ ...about, batches });
      },
    };
  });
}
