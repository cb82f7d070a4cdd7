import fc from "fast-check";
import { expect, it, test } from "vitest";
import { decideEach } from "../decide";
import type { Facts } from "../facts";
import { categories, randomFacts } from "../testing/random-facts";
import { factsOf, now, policyOf, receiptOf, secondsFromNow } from "../testing/samples";
import { type Opening, openingsOf } from "./openings";

const category = "prof:interests";
const opens = { allow: [category] };
const [soon, later] = [secondsFromNow(60), secondsFromNow(3_600)];
const forPurpose = { ...opens, purposes: ["personalization"] };
const nothing = { reads: null, takes: null, proposes: null, never: null };

type Openness = { reads?: unknown; takes?: unknown; proposes?: unknown; never?: unknown };

test.each<[string, Facts, Openness]>([
  ["no rule: it has to ask", factsOf(), {}],
  [
    "a rule without an end: it reads until the owner ends it",
    factsOf({ policies: [policyOf(opens)] }),
    { reads: ["pol_1", null] },
  ],
  [
    "a rule with an end: it reads until then",
    factsOf({ policies: [policyOf({ ...opens, expiresAt: soon })] }),
    { reads: ["pol_1", soon] },
  ],
  [
    "two rules with an end: it reads until the later one",
    factsOf({
      policies: [
        policyOf({ ...opens, expiresAt: soon }),
        policyOf({ ...opens, id: "pol_2", expiresAt: later }),
      ],
    }),
    { reads: ["pol_1", later] },
  ],
  [
    "a rule that is over opens nothing",
    factsOf({ policies: [policyOf({ ...opens, expiresAt: now })] }),
    {},
  ],
  [
    "a rule for a purpose: it may take this without asking",
    factsOf({ policies: [policyOf({ ...forPurpose, expiresAt: later })] }),
    { takes: ["pol_1", later] },
  ],
  [
    "a rule for a retention alone is a standing grant too",
    factsOf({ policies: [policyOf({ ...opens, maxRetention: "session_only" })] }),
    { takes: ["pol_1", null] },
  ],
  [
    "a receipt under a rule for a purpose: it reads until the receipt ends, and may take it again",
    factsOf({
      policies: [policyOf({ ...forPurpose, expiresAt: later })],
      receipts: [receiptOf({ expiresAt: soon })],
    }),
    { reads: ["pol_1", soon], takes: ["pol_1", later] },
  ],
  [
    "a rule that shortens receipts: it reads until that has passed",
    factsOf({
      policies: [policyOf({ ...forPurpose, receiptSeconds: 90 })],
      receipts: [receiptOf({ grantedAt: secondsFromNow(-30) })],
    }),
    { reads: ["pol_1", soon], takes: ["pol_1", null] },
  ],
  [
    "a receipt that outlives its rule ends with it",
    factsOf({
      policies: [policyOf({ ...forPurpose, expiresAt: soon })],
      receipts: [receiptOf({ expiresAt: later })],
    }),
    { reads: ["pol_1", soon], takes: ["pol_1", soon] },
  ],
  [
    "a receipt for another purpose opens nothing, and the rule may still be used",
    factsOf({
      policies: [policyOf({ ...forPurpose, purposes: ["analysis"] })],
      receipts: [receiptOf()],
    }),
    { takes: ["pol_1", null] },
  ],
  [
    "a rule for verified agents is none for one that is not",
    factsOf({ policies: [policyOf({ ...forPurpose, verifiedOnly: true })] }),
    {},
  ],
  [
    "a deny closes it for good, whatever else allows it",
    factsOf({
      policies: [
        policyOf({ ...opens, permissions: ["read", "propose"] }),
        policyOf({ ...forPurpose, id: "pol_2" }),
        policyOf({ id: "pol_3", deny: ["prof:interests.*"] }),
      ],
    }),
    { never: { policy: expect.objectContaining({ id: "pol_3" }) } },
  ],
  [
    "so does the limit that an admin set",
    factsOf({ policies: [policyOf(forPurpose)], agent: { ceiling: ["prof:health"] } }),
    { never: { policy: null } },
  ],
  [
    "a rule that lets it only propose",
    factsOf({ policies: [policyOf({ ...opens, permissions: ["propose"] })] }),
    { proposes: ["pol_1", null] },
  ],
])("%s", (_case, facts, expected) => {
  const found = openingsOf(facts)(category);
  const inShort = (opening: Opening | null) => opening && [opening.policy.id, opening.until];
  const { reads, takes, proposes, never } = found;
  expect({
    reads: inShort(reads),
    takes: inShort(takes),
    proposes: inShort(proposes),
    never,
  }).toEqual({ ...nothing, ...expected });
});

it("ends each opening just when the decision does, and opens just what it grants, on random policy sets", () => {
  fc.assert(
    fc.property(randomFacts, (facts) => {
      const openings = openingsOf(facts);
      const isRead = (at: Date, one: string) =>
        decideEach({ ...facts, now: at }, "read")(one).outcome === "granted";
      return categories.every((one) => {
        const { reads } = openings(one);
        if (reads === null || reads.until === null)
          return (reads !== null) === isRead(facts.now, one);
        const before = new Date(reads.until.getTime() - 1);
        return isRead(facts.now, one) && isRead(before, one) && !isRead(reads.until, one);
      });
    }),
    { numRuns: 3_000, seed: 11 },
  );
});

it("lets an agent take just what a request with the purpose of one of its rules is granted, on random policy sets", () => {
  fc.assert(
    fc.property(randomFacts, (random) => {
      const facts = { ...random, purpose: null, receipts: [], token: null };
      const openings = openingsOf(facts);
      const deciders = facts.policies.map(({ purposes, maxRetention }) =>
        decideEach(
          {
            ...facts,
            purpose: { type: purposes[0] ?? "any", retention: maxRetention ?? undefined },
          },
          "read",
        ),
      );
      return categories.every((one) => {
        const { reads, takes } = openings(one);
        const isGiven = deciders.some((decide) => decide(one).outcome === "granted");
        return isGiven === (reads !== null || takes !== null);
      });
    }),
    { numRuns: 3_000, seed: 12 },
  );
});
