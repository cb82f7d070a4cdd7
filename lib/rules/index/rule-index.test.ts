import { describe, expect, it } from "vitest";
import { coveringKeys, covers, scopeKey } from "@/lib/protocol/scope";
import { decideEach } from "../decide";
import { decideScopes } from "../decide-scope";
import { openingsOf } from "../effect/openings";
import { categories, scopes } from "../testing/random-facts";
import { factsOf, policyOf, receiptOf } from "../testing/samples";

describe("coveringKeys", () => {
  it("finds exactly the scopes that cover a category", () => {
    const odd = [...scopes, "", "*", "prof:*.*", "prof:health.*"];
    for (const category of [...categories, "prof:*", "prof:named.nowhere"]) {
      const found = odd.filter((scope) => coveringKeys(category).includes(scopeKey(scope)));
      expect(found).toEqual(odd.filter((scope) => covers(scope, category)));
    }
  });
});

// Far more than a profile may have: 19,700 categories are named by 197 rules.
const policies = Array.from({ length: 197 }, (_, rule) =>
  policyOf({
    id: `pol_${rule}`,
    allow: Array.from({ length: 100 }, (_, at) => `prof:x${rule}.a.b.c.d${at}`),
    deny: rule === 0 ? ["prof:x1.a"] : [],
    purposes: rule % 2 === 0 ? [] : ["analysis"],
  }),
);
const receipts = Array.from({ length: 100 }, (_, at) =>
  receiptOf({ id: `rcpt_${at}`, purposeType: "research", grantedScopes: [`prof:x${at}`] }),
);

describe("the cost of a decision", () => {
  it.each([
    ["a wildcard over all of them", ["prof:*"]],
    ["50 scopes", Array.from({ length: 50 }, (_, rule) => `prof:x${rule}`)],
  ])("is that of the categories, not of rules × scopes × categories: %s", (_title, input) => {
    const facts = factsOf({ policies, receipts });
    expect(cpuMs(() => decideScopes(facts, { permission: "read", scopes: input }))).toBeLessThan(
      400,
    );
  });

  it("is a lookup for each of 10,000 categories", () => {
    const decide = decideEach(factsOf({ policies, receipts }), "read");
    const named = Array.from({ length: 10_000 }, (_, at) => `prof:y${at}.a.b.c.d.e.f`);
    expect(cpuMs(() => named.map(decide))).toBeLessThan(400);
  });

  it("is the same for what an agent can do with 1,000 of them", () => {
    const named = Array.from({ length: 1_000 }, (_, at) => `prof:x${at % 197}.a.b.c.d${at % 100}`);
    const facts = factsOf({ policies, receipts });
    expect(cpuMs(() => named.map(openingsOf(facts)))).toBeLessThan(400);
  });
});

// Best of five: the first runs are not compiled yet, and the machine may be busy.
function cpuMs(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
