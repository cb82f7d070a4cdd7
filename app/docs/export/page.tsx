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
import { Code, Mono } from "../_parts/code";
import { Fields } from "../_parts/fields";
import { Page, Section, Text } from "../_parts/page";
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

export default function ExportPage() {
  return (
    <Page
      title="Export and import"
      lead="An owner takes a whole profile along as one JSON file, and brings it into an empty profile, here or on another gateway. Neither is part of the protocol."
    >
      <Section id="file" title="The file">
        <Code title="json">
          {`{
  "format": "profile-archive",
  "version": 1,
  "exportedAt": "2030-01-31T12:00:00.000Z",
  "profile": { "did": "did:prof:user:local:alice", "profileType": "human", "version": "1.0",
               "common": { "preferences": {} }, "createdAt": "2030-01-01T12:00:00.000Z" },
  "namedValues": [], "memories": [], "proposals": [], "policies": [], "consentRequests": [],
  "receipts": [], "tokens": [], "keys": [], "events": []
}`}
        </Code>
        <Text>
          It is written while it is read, a page of a list at a time. Entries made after it began
          are left out; one that is changed after that may be in it in its new form. An export that
          is not read within five minutes, or whose reader signs out, breaks off, and the file is no
          valid JSON. Instants are ISO 8601 in UTC.
        </Text>
      </Section>
      <Section id="import" title="Importing">
        <Text>
          The profile has to be empty, the file at most 50 MB and 3,000,000 values besides its
          events, and all of it is checked before anything is written. Ids are kept, unless they are
          taken on that gateway. Nobody gains access by an import: policies come switched off unless
          the owner says otherwise, the rules for reading that stood there are switched off too, and
          receipts come revoked. A pending proposal or access request waits again. The profile keeps
          its own type and version, which only an admin sets.
        </Text>
      </Section>
      {lists.map(([name, words, schema]) => (
        <Section key={name} id={name} title={name}>
          <Text>{words}</Text>
          <Fields title={`Members of an entry in ${name}`} rows={fieldRows(schema, "output")} />
        </Section>
      ))}
      <Section id="revisions" title="revisions of a memory">
        <Text>
          Each says what the memory was before a change, the oldest first. <Mono>cause</Mono> is the
          change.
        </Text>
        <Fields title="Members of a revision" rows={fieldRows(ArchivedRevision, "output")} />
      </Section>
    </Page>
  );
}
