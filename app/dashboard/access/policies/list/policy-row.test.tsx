import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Behind, ListedPolicy } from "@/lib/services/policies/list";
import { behindWords, PolicyRow } from "./policy-row";

const now = new Date("2026-03-01T12:00:00.000Z");
const policy: ListedPolicy = {
  id: "pol_1",
  agentPattern: "did:prof:agent:local:iris",
  agent: null,
  verifiedOnly: false,
  allow: ["prof:interests"],
  deny: [],
  permissions: ["read"],
  purposes: [],
  maxRetention: null,
  receiptSeconds: null,
  enabled: true,
  expiresAt: null,
  origin: "token",
  consent: null,
  token: { label: "a\u202Eb", lastFour: "abcd", isLive: true },
  createdAt: now,
  updatedAt: now,
};

test("shows hidden characters in a token's label as what they are", () => {
  const page = renderToStaticMarkup(
    <PolicyRow
      policy={policy}
      behind={{ memories: 0, values: 0, closedBy: null }}
      usedAt={null}
      clock={{ now, zone: "UTC" }}
      isSaved={false}
    />,
  );
  expect(page).not.toContain("\u202E");
  expect(page).toContain("U+202E");
});

const open: Behind = { memories: 412, values: 0, closedBy: null };

test.each<[string, Partial<ListedPolicy>, Behind]>([
  ["412 memories, and what is added later", {}, open],
  ["412 memories, and what is added until then", { expiresAt: new Date("2026-12-24") }, open],
  ["412 memories behind it", { enabled: false }, open],
  ["Another rule keeps all of it closed", {}, { memories: 0, values: 0, closedBy: "rule" }],
  ["Its agent may read none of it", {}, { memories: 0, values: 0, closedBy: "agent" }],
  [
    "Nothing is kept before it is approved",
    { permissions: ["propose"] },
    { memories: 0, values: 0, closedBy: null },
  ],
  ["1 memory and 2 values behind it", { allow: [] }, { memories: 1, values: 2, closedBy: null }],
])("says %s", (words, parts, behind) => {
  expect(behindWords({ ...policy, ...parts }, behind)).toBe(words);
});
