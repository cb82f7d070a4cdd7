import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ListedPolicy } from "@/lib/services/policies/list";
import { PolicyRow } from "./policy-row";

test("shows hidden characters in a token's label as what they are", () => {
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
  const page = renderToStaticMarkup(<PolicyRow policy={policy} now={now} isSaved={false} />);
  expect(page).not.toContain("\u202E");
  expect(page).toContain("U+202E");
});
