import { csvCell } from "@/app/dashboard/activity/export/csv";
import type { ExportFormat } from "@/app/dashboard/activity/export/texts";
import type { AdminEventLine } from "@/lib/services/admin/list-admin-events";

// The order is part of what we promise: new columns come at the end.
const columns: [name: string, cell: (event: AdminEventLine) => string | null][] = [
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

type Batches = AsyncGenerator<AdminEventLine[]>;

/** Newest first, as the page has them. */
export const exportTexts: Record<ExportFormat, (batches: Batches) => AsyncGenerator<string>> = {
  async *csv(batches) {
    yield `${columns.map(([name]) => name).join(",")}\r\n`;
    for await (const events of batches) yield events.map(csvRow).join("");
  },
  async *json(batches) {
    yield `{"format":"profile-access-gateway.admin-activity","version":1,"events":[\n`;
    let between = "";
    for await (const events of batches) {
      yield `${between}${events.map((event) => JSON.stringify(event)).join(",\n")}`;
      between = ",\n";
    }
    yield "\n]}\n";
  },
};

function csvRow(event: AdminEventLine): string {
  return `${columns.map(([, cell]) => csvCell(cell(event) ?? "")).join(",")}\r\n`;
}
