import type { SealedEvent } from "@/lib/services/activity/load-events";
import type { ExportView } from "../params";
import { sentenceText } from "../sentence/sentence";

const chainStart = "0".repeat(64);

const howToCheck = [
  "An event is sealed by hash = SHA-256(bytes of hashBefore, then UTF-8 of text).",
  "text is its member `sealed` as compact JSON: members of every object sorted by their UTF-16 code units, no spaces, strings and numbers as ECMAScript's JSON.stringify writes them.",
  "sealed.position counts from 1. hashBefore of position 1 is 32 zero bytes; of every other, the hash of the position before it.",
  "A gateway may keep events for some time only. Then an event with the verb dropEvents tells in its detail `through` which position was dropped last and in `hash` what its hash was; the first event that is left has the next position and that hash before it.",
  "Otherwise no position is missing in a log that is not filtered. An event without a hash has not been sealed yet.",
];

/** All before the first event. */
export function jsonHead(about: { profile: string; exportedAt: Date; filter: ExportView }): string {
  const { profile, exportedAt, filter } = about;
  const head = {
    format: "profile-access-gateway.activity",
    version: 1,
    profile,
    exportedAt: exportedAt.toISOString(),
    filter,
    howToCheck,
  };
  return `${JSON.stringify(head).slice(0, -1)},"events":[\n`;
}

export const jsonTail = "\n]}\n";

export function jsonEvent(event: SealedEvent): string {
  const { agent, about, reviewer, hash, hashBefore, storedPurpose, ...rest } = event;
  const before = hashBefore?.toString("hex") ?? chainStart;
  return JSON.stringify({
    sentence: sentenceText(event),
    sealed: { ...rest, purposeType: storedPurpose },
    hashBefore: hash === null ? null : before,
    hash: hash?.toString("hex") ?? null,
  });
}
