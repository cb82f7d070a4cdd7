import { csvCell } from "@/lib/http/session/files/csv-cell";
import { kindOf } from "@/lib/services/activity/kinds";
import type { SealedEvent } from "@/lib/services/activity/load-events";
import { agentLabel } from "../../../_components/shown/agent-name";
import { sentenceText } from "../sentence/sentence";

// The order is part of what we promise: new columns come at the end. Protocol 9.
const columns: [name: string, cell: (event: SealedEvent) => string | null][] = [
  ["time", ({ at }) => at.toISOString()],
  ["sentence", sentenceText],
  ["kind", ({ verb }) => kindOf(verb)],
  ["who", ({ actor }) => actor],
  ["who_name", ({ agent }) => (agent === null ? null : agentLabel(agent))],
  ["who_id", ({ actorId }) => actorId],
  ["verb", ({ verb }) => verb],
  ["outcome", ({ outcome }) => outcome],
  ["asked", ({ asked }) => asked.join(" ")],
  ["granted", ({ granted }) => granted.join(" ")],
  ["denied", ({ denied }) => denied.join(" ")],
  ["items", ({ items }) => JSON.stringify(items)],
  ["reasons", ({ reasons }) => JSON.stringify(reasons)],
  ["purpose", ({ purposeType }) => purposeType],
  ["receipt_id", ({ receiptId }) => receiptId],
  ["subject_id", ({ subjectId }) => subjectId],
  ["request_id", ({ requestId }) => requestId],
  ["event_id", ({ id }) => id],
  ["position", ({ position }) => position],
  ["hash", ({ hash }) => hash?.toString("hex") ?? null],
  ["more", ({ detail: { more } }) => (more === undefined ? null : JSON.stringify(more))],
];

export const csvHead = `${columns.map(([name]) => name).join(",")}\r\n`;

export function csvRow(event: SealedEvent): string {
  return `${columns.map(([, cell]) => csvCell(cell(event) ?? "")).join(",")}\r\n`;
}
