import type { Metadata } from "next";
import {
  ArchivedConsentRequest,
  ArchivedEvent,
  ArchivedKey,
  ArchivedMemory,
  ArchivedPolicy,
  ArchivedProposal,
  ArchivedReceipt,
  ArchivedRevision,
  ArchivedToken,
  ArchivedValue,
} from "@/lib/protocol/archive/profile-archive";
import { Mono } from "../_parts/code";
import { docsText } from "../_parts/docs-file";
import { Fields } from "../_parts/fields";
import { Markdown } from "../_parts/markdown";
import { Section, Text } from "../_parts/page";
import { fieldRows } from "../_parts/schema";

export const metadata: Metadata = { title: "Export and import" };

const lists = [
  ["namedValues", "Values with a name, in a category.", ArchivedValue],
  [
    "memories",
    "All of them: archived ones, and deleted ones that can be restored.",
    ArchivedMemory,
  ],
  ["proposals", "Pending and decided ones.", ArchivedProposal],
  ["policies", "Who may read and propose what.", ArchivedPolicy],
  ["consentRequests", "What agents asked for, and the answer.", ArchivedConsentRequest],
  ["receipts", "What was granted, and until when.", ArchivedReceipt],
  ["tokens", "Connection tokens, without their secret. They are not imported.", ArchivedToken],
  ["keys", "Keys that sign as the owner. They are not imported.", ArchivedKey],
  ["events", "The access log. It is not imported.", ArchivedEvent],
] as const;

export default async function ExportPage() {
  return (
    <Markdown text={await docsText("export")}>
      {lists.map(([name, words, schema]) => (
        <Section key={name} id={name} title={name}>
          <Text>{words}</Text>
          <Fields title={`Members of an entry in ${name}`} rows={fieldRows(schema, "output")} />
        </Section>
      ))}
      <Section id="revisions" title="revisions of a memory">
        <Text>
          Each revision is the memory before a change, the oldest first. <Mono>cause</Mono> is the
          change.
        </Text>
        <Fields title="Members of a revision" rows={fieldRows(ArchivedRevision, "output")} />
      </Section>
    </Markdown>
  );
}
