import type { ImportFormat } from "@/lib/services/imports/read-import";
import { Card } from "../../../_components/card";
import { CopyButton } from "../../../_components/copy-button";

const formats: Record<ImportFormat, string> = {
  "claude-prompt": "Lines with dates, as an assistant answers the prompt below",
  markdown: "A list or paragraphs",
  "claude-memories": "Claude: memories.json",
  "chatgpt-memory": "ChatGPT: memory.json",
  "chatgpt-saved": "ChatGPT: saved memories",
  mem0: "mem0: get_all or a page of its platform",
  "mem0-plugin": "mem0: the file of its plugin",
  openmemory: "OpenMemory: memories.json",
  mif: "MIF 2.0",
  "dot-mem": ".mem, zipped",
  jsonl: "JSON Lines",
  archive: "An archive of this product",
};
export const formatOptions = Object.entries(formats);

const prompt = `List everything that you remember about me, in one code block and nothing else.
Write one memory on each line, as: [date you saved it, or unknown] - the memory
Use my own words where you have them, and leave nothing out.`;

/** How to get the memories out of each product. */
export function Sources() {
  return (
    <Card title="How to get them">
      <dl className="flex flex-col gap-4">
        <Source name="Claude, ChatGPT, Gemini and other assistants">
          Send this prompt, then paste the whole answer above.
          <span className="theirs mt-2 flex items-start justify-between gap-3 p-3">
            <code className="font-mono text-small whitespace-pre-wrap text-ink">{prompt}</code>
            <CopyButton text={prompt} what="the prompt" />
          </span>
        </Source>
        <Source name="Claude’s export">
          Under Settings › Privacy export your data, then choose the zip file that the mail links
          to. Conversations are not read.
        </Source>
        <Source name="mem0">
          Save what get_all answers as a JSON file. It has 20 memories unless you raise top_k. Files
          of its plugin and pages of its platform are read, too.
        </Source>
        <Source name="OpenMemory, MIF 2.0 and .mem">
          Choose the exported file. Zip a .mem folder first. Memories that are archived or deleted
          there are left out.
        </Source>
        <Source name="Notes">
          Markdown with one memory at each bullet, or a line for each. A heading above them helps to
          find their category.
        </Source>
      </dl>
    </Card>
  );
}

function Source({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{name}</dt>
      <dd className="text-muted">{children}</dd>
    </div>
  );
}
