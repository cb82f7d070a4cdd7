import { describe, expect, test } from "vitest";
import { type Endpoint, endpoints } from "@/lib/protocol/endpoints";
import { ProposalRequest } from "@/lib/protocol/requests";
import { envelope, ReviewedProposal } from "@/lib/protocol/resources";
import { exampleOf, fieldRows } from "./schema";

const all = Object.values<Endpoint>(endpoints);

describe("examples", () => {
  test.each(all.filter(({ body }) => body !== null))("the body of $name is valid", ({ body }) => {
    if (body === null) return;
    const parsed = body.safeParse(exampleOf(body, "input"));
    expect(parsed.error).toBeUndefined();
  });

  test.each(all)("the answer of $name is valid", ({ data, meta }) => {
    const answer = envelope(data, meta);
    expect(answer.safeParse(exampleOf(answer, "output")).error).toBeUndefined();
  });
});

describe("rows", () => {
  test("say type, whether required, bounds and default", () => {
    const rows = fieldRows(ProposalRequest, "input");
    expect(rows.map(({ name, type, required }) => [name, type, required])).toEqual([
      ["content", "string", true],
      ["category", "string", true],
      ["confidence", "number", false],
      ["context", "string", false],
    ]);
    const [content, , confidence] = rows;
    expect(content?.rules).toContain("1 to 10000 characters");
    expect(confidence?.rules).toEqual(["0 to 1", "default 0.7"]);
  });

  test("name members of members, and what only some alternatives have", () => {
    const access = fieldRows(endpoints.requestAccess.body, "input").map(({ name }) => name);
    expect(access).toContain("purpose.type");
    const review = fieldRows(ReviewedProposal, "output");
    expect(review.map(({ name, required }) => [name, required])).toEqual([
      ["proposalId", true],
      ["status", true],
      ["memoryId", false],
    ]);
  });

  test("of a list are those of its items", () => {
    const names = fieldRows(endpoints.listProposals.data, "output").map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["id", "agentDid", "memoryId"]));
  });
});
