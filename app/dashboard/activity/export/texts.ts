import type { SealedEvent } from "@/lib/services/activity/load-events";
import type { ExportView } from "../params";
import { csvHead, csvRow } from "./csv";
import { jsonEvent, jsonHead, jsonTail } from "./json";

export const exportFormats = ["csv", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface Exported {
  profile: string;
  exportedAt: Date;
  filter: ExportView;
  batches: AsyncGenerator<SealedEvent[]>;
}

export const exportTexts: Record<ExportFormat, (exported: Exported) => AsyncGenerator<string>> = {
  async *csv({ batches }) {
    yield csvHead;
    for await (const events of batches) yield events.map(csvRow).join("");
  },
  async *json({ batches, ...about }) {
    yield jsonHead(about);
    let between = "";
    for await (const events of batches) {
      yield `${between}${events.map(jsonEvent).join(",\n")}`;
      between = ",\n";
    }
    yield jsonTail;
  },
};
