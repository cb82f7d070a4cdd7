import { describe, expect, it } from "vitest";
import { MemoriesByCategory, Profile } from "./answers/profile";
import {
  AccessReceipt,
  Content,
  ErrorBody,
  isRetentionWithin,
  knownLegalBases,
  knownPurposeTypes,
  knownRetentions,
  MemoryProposal,
  ProposedMemory,
  Purpose,
  ReviewedProposal,
} from "./resources";

const timestamp = "2030-01-31T12:00:00.000Z";

// Spec, Resources and their fields.
describe("each resource has the fields of the specification", () => {
  it.each([
    ["Profile", Profile, ["id", "profileType", "version", "common", "memories"]],
    ["Purpose", Purpose, ["type", "description", "legalBasis", "retention"]],
    ["Access receipt", AccessReceipt, ["receiptId", "grantedScopes", "deniedScopes", "expiresAt"]],
    ["Memory proposal (propose)", ProposedMemory, ["proposalId", "status", "expiresAt"]],
    [
      "Memory proposal (list)",
      MemoryProposal,
      ["id", "agentDid", "content", "category", "confidence", "status", "proposedAt"],
    ],
  ])("%s", (_, schema, fields) => {
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(fields));
  });

  it("Memory proposal (review): memoryId when approved, and only then", () => {
    const approved = { proposalId: "prop_1", status: "approved", memoryId: "mem_1" };
    const rejected = { proposalId: "prop_1", status: "rejected" };
    expect(ReviewedProposal.parse(approved)).toEqual(approved);
    expect(ReviewedProposal.parse(rejected)).toEqual(rejected);
    expect(ReviewedProposal.safeParse({ ...approved, memoryId: undefined }).success).toBe(false);
  });

  it("Memory: a category holds named values or an array of records", () => {
    const memory = { id: "mem_1", content: "Runs.", confidence: 0.9, category: "prof:episodic" };
    const provenance = { source: "agent", approvedBy: "owner", approvedAt: timestamp, flags: [] };
    const memories = {
      "prof:professional": { occupation: "engineer", skills: ["sql"] },
      "prof:episodic": [{ ...memory, ...provenance, createdAt: timestamp, supersedes: null }],
    };
    expect(MemoriesByCategory.parse(memories)).toEqual(memories);
  });

  it("Errors: success, code, message and optional details", () => {
    const body = {
      success: false,
      error: { code: "PROF004", message: "…", details: { deniedScopes: ["prof:health.*"] } },
      meta: { requestId: "req_1", timestamp },
    };
    expect(ErrorBody.parse(body)).toEqual(body);
    expect(ErrorBody.safeParse({ ...body, success: true }).success).toBe(false);
  });
});

describe("a purpose takes every known word, and others of the same form", () => {
  it.each(knownPurposeTypes)("type %s", (type) =>
    expect(Purpose.parse({ type })).toEqual({ type }),
  );
  it.each([...knownLegalBases, "own_ground"])("legal basis %s", (legalBasis) => {
    expect(Purpose.parse({ type: "other", legalBasis })).toEqual({ type: "other", legalBasis });
  });
  it.each([...knownRetentions, "90d"])("retention %s", (retention) => {
    expect(Purpose.parse({ type: "other", retention })).toEqual({ type: "other", retention });
  });
  it.each(["", "Consent", "1st", "a b", "a-b", "_a", "a".repeat(65), "é", "a\n"])(
    "not %j",
    (type) => {
      expect(Purpose.safeParse({ type }).success).toBe(false);
    },
  );
});

describe("retentions are ordered", () => {
  it.each([
    ["session_only", "session_only", true],
    ["session_only", "indefinite", true],
    ["24h", "7d", true],
    ["30d", "7d", false],
    ["indefinite", "1y", false],
    ["90d", "indefinite", false],
    ["24h", "90d", false],
    ["90d", "90d", true],
    ["180d", "90d", false],
    [undefined, "90d", false],
    [undefined, "indefinite", false],
  ])("%s within %s: %s", (retention, longest, expected) => {
    expect(isRetentionWithin(retention, longest)).toBe(expected);
  });
});

describe("content is bounded in characters, not in UTF-16 units", () => {
  it.each([
    ["one character", "a", true],
    ["10,000 characters", "a".repeat(10_000), true],
    ["10,000 emoji", "\u{1f600}".repeat(10_000), true],
    ["10,000 characters and white space around", ` \n${"a".repeat(10_000)}\t `, true],
    ["nothing", "", false],
    ["white space alone", " \n\t\u00a0", false],
    ["10,001 characters", "a".repeat(10_001), false],
    ["U+0000", "a\u0000b", false],
    ["a lone high surrogate", "a\ud800", false],
    ["a lone low surrogate", "\udc00a", false],
    ["a number", 1, false],
    ["null", null, false],
  ])("%s", (_, content, expected) => {
    expect(Content.safeParse(content).success).toBe(expected);
  });

  it("and white space around it is cut off", () => {
    expect(Content.parse("  a b\n")).toBe("a b");
  });
});
