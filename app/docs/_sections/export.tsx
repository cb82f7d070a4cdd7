import type { z } from "zod";
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
import { Fields } from "../_parts/fields";
import { Text } from "../_parts/page";
import { fieldRows } from "../_parts/schema";
import { type GeneratedSection, rowsText } from "./generated-section";

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
  [
    "tokens",
    "Connected programs and connection tokens, without their secrets. They are not imported.",
    ArchivedToken,
  ],
  ["keys", "Keys that sign as the owner. They are not imported.", ArchivedKey],
  ["events", "The access log. It is not imported.", ArchivedEvent],
  [
    "revisions",
    "A member of a memory: what the memory was before each change, the oldest first. The member cause is the change.",
    ArchivedRevision,
  ],
] as const satisfies [string, string, z.ZodType][];

export function exportSections(): GeneratedSection[] {
  return lists.map(([name, words, schema]) => {
    const rows = fieldRows(schema, "output");
    return {
      id: name,
      title: name,
      text: `${words} ${rowsText(rows)}`,
      body: (
        <>
          <Text>{words}</Text>
          <Fields title={`Members of an entry in ${name}`} rows={rows} />
        </>
      ),
    };
  });
}
