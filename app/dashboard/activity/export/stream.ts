import type { SealedEvent } from "@/lib/services/activity/load-events";
import type { Narrowed } from "../filter";
import { csvHead, csvRow } from "./csv";
import { jsonEvent, jsonHead, jsonTail } from "./json";

export const exportFormats = ["csv", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface Exported {
  profile: string;
  exportedAt: Date;
  narrowed: Narrowed;
  batches: AsyncGenerator<SealedEvent[]>;
}

const pieces: Record<ExportFormat, (exported: Exported) => AsyncGenerator<string>> = {
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

export function exportStream(format: ExportFormat, exported: Exported): ReadableStream<Uint8Array> {
  return textStream(pieces[format](exported));
}

/** The next batch is read when the one before it has been taken: a slow reader holds one. */
export function textStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}
