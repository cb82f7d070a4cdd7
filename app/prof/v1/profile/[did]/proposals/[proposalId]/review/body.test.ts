import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { giveProposal, mintAgent, mintOwner } from "@/tests/support/personas";
import { call, issuePaths, profilePath } from "@/tests/support/wire";

// Spec, Endpoints 6, the body: action and editedContent; Protocol 6 adds reason.
const engine = await testEngine();

async function review(body: unknown) {
  const owner = await mintOwner(engine);
  const { did, profileId } = owner;
  const { did: agentDid } = await mintAgent(engine);
  const { id } = await giveProposal(engine, { profileId, agentDid });
  const target = profilePath(did, `/proposals/${id}/review`);
  const reply = await call(owner.client, { method: "POST", target, body: JSON.stringify(body) });
  const { status } = await engine.db.proposal.findUniqueOrThrow({ where: { id } });
  return { reply, status };
}

describe("200", () => {
  test.each<[string, string, object]>([
    ["action approve", "approved", { action: "approve" }],
    ["action reject", "rejected", { action: "reject" }],
    [
      "editedContent of 10,000 characters",
      "approved",
      { action: "approve", editedContent: "é".repeat(10_000) },
    ],
    ["reason of 500 characters", "rejected", { action: "reject", reason: "é".repeat(500) }],
    ["a member nobody knows", "rejected", { action: "reject", status: "approved" }],
  ])("%s", async (_name, expected, body) => {
    const { reply, status } = await review(body);
    expect(reply).toMatchObject({ status: 200, body: { data: { status: expected } } });
    expect(status).toBe(expected);
  });
});

describe("400 PROF006, naming the member, and nothing changed", () => {
  test.each<[string, string, unknown]>([
    ["action is missing", "body.action", {}],
    ["action is unknown", "body.action", { action: "accept" }],
    ["action is a status", "body.action", { action: "approved" }],
    ["action is upper case", "body.action", { action: "APPROVE" }],
    ["action is an array", "body.action", { action: ["approve"] }],
    ["editedContent with reject", "body.editedContent", { action: "reject", editedContent: "x" }],
    ["editedContent is empty", "body.editedContent", { action: "approve", editedContent: " " }],
    [
      "editedContent is too long",
      "body.editedContent",
      { action: "approve", editedContent: "x".repeat(10_001) },
    ],
    ["editedContent is a number", "body.editedContent", { action: "approve", editedContent: 1 }],
    ["reason is too long", "body.reason", { action: "reject", reason: "x".repeat(501) }],
    ["reason is an object", "body.reason", { action: "reject", reason: {} }],
    ["the body is a text", "body", "approve"],
  ])("%s", async (_name, path, body) => {
    const { reply, status } = await review(body);
    expect(reply).toMatchObject({ status: 400, body: { error: { code: "PROF006" } } });
    expect(issuePaths(reply)).toEqual([path]);
    expect(status).toBe("pending");
  });
});
