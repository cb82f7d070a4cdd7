import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { csvCell } from "@/lib/http/session/files/csv-cell";
import { fileStream } from "@/lib/http/session/files/file-stream";
import type { SealedEvent } from "@/lib/services/activity/load-events";
import { hashOf } from "@/lib/services/audit/event-chain";
import { csvHead, csvRow } from "./csv";
import { jsonEvent } from "./json";
import { exportTexts } from "./texts";

const event: SealedEvent = {
  id: "evt_1",
  profileId: 7,
  at: new Date("2026-03-01T12:00:00Z"),
  verb: "getProfile",
  outcome: "ok",
  actor: "agent",
  actorId: "did:prof:agent:local:iris",
  agent: { did: "did:prof:agent:local:iris", name: '=HYPERLINK("x")', verified: false },
  about: null,
  reviewer: "Rita",
  asked: ["prof:preferences", "prof:interests"],
  granted: [],
  denied: [],
  items: { "prof:preferences": 2 },
  reasons: {},
  purposeType: "support",
  storedPurpose: null,
  receiptId: "rcpt_1",
  subjectId: null,
  detail: { b: 1, a: { d: [1], c: "é" } },
  requestId: "req_1",
  position: "3",
  hash: null,
  hashBefore: Buffer.alloc(32, 7),
};

test.each([
  ["plain", "plain"],
  ['a "b", c', '"a ""b"", c"'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", `"'=1+1"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@x", `"'@x"`],
  ["\tx", `"'\tx"`],
  // Where a spreadsheet splits on semicolons or tabs, quotes are no bracket and cells begin after those too.
  ["x;=1+cmd|'/C calc'!A1;y", `"x;'=1+cmd|'/C calc'!A1;y"`],
  ["x; =1", `"x;' =1"`],
  ["x\t-1;\t@y", `"x\t'-1;\t'@y"`],
  ["x\n+1", `"x\n'+1"`],
  ['x;"=1', `"x;'""=1"`],
  ["x;y", "x;y"],
  ["", ""],
])("the cell %j stands in the file as %j", (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

test("each row has a cell for each column, and an agent's name is no formula", () => {
  expect(csvHead.trim().split(",")).toEqual(
    `time sentence kind who who_name who_id verb outcome asked granted denied items reasons purpose
     receipt_id subject_id request_id event_id position hash more`.split(/\s+/),
  );
  const row = csvRow(event);
  expect(row).toContain(`"'=HYPERLINK(""x"")"`);
  expect(row).toMatch(/^2026-03-01T12:00:00.000Z,"'=HYPERLINK\(""x""\) read 2 preferences/);
  expect(row.endsWith("\r\n")).toBe(true);
});

test("the file contains what was sealed", () => {
  const { agent, about, reviewer, storedPurpose, hashBefore, purposeType, position, ...stored } =
    event;
  const before = Buffer.alloc(32, 7);
  const whole = { ...stored, purposeType: storedPurpose, position: null, hash: null };
  const hash = hashOf({
    before,
    position: 3n,
    event: whole as Parameters<typeof hashOf>[0]["event"],
  });
  const parsed = JSON.parse(jsonEvent({ ...event, hash }));
  const text = JSON.stringify(parsed.sealed, (_name, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
  const own = createHash("sha256").update(Buffer.from(parsed.hashBefore, "hex")).update(text);
  expect(own.digest("hex")).toBe(parsed.hash);
});

test("a reader that stops reading stops the statements, and never has more than two batches made", async () => {
  let made = 0;
  let ended = false;
  async function* batches() {
    try {
      for (;;) {
        made += 1;
        yield [event];
      }
    } finally {
      ended = true;
    }
  }
  const about = { profile: "did", exportedAt: event.at, filter: {} };
  const texts = exportTexts.json({ ...about, batches: batches() });
  const { signal } = new AbortController();
  const reader = fileStream({ texts, signal, closed: () => undefined }).getReader();
  await reader.read();
  await reader.read();
  expect(made).toBeLessThanOrEqual(3);
  await reader.cancel();
  expect(ended).toBe(true);
});

test.each(["csv", "json"] as const)("a log without events is a whole %s file", async (format) => {
  async function* batches() {}
  const about = { profile: "did", exportedAt: event.at, filter: {} };
  let text = "";
  for await (const piece of exportTexts[format]({ ...about, batches: batches() })) text += piece;
  expect(format === "csv" ? text : JSON.parse(text).events).toEqual(
    format === "csv" ? csvHead : [],
  );
});
