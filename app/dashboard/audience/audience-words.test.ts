import { expect, test } from "vitest";
import { policyOf } from "@/lib/rules/testing/samples";
import type { Audience } from "@/lib/services/access/sight/audience";
import { audienceShort, audienceWords, nobody } from "./audience-words";

const agent = {
  ...{ did: "did:prof:agent:local:iris", name: "Iris", verified: false },
  ...{ policy: policyOf(), until: null },
};
const verified = { ...agent, verified: true };

test.each<[string, Partial<Audience>]>([
  ["no agent can read it", {}],
  ["1 agent can read it", { agents: [agent] }],
  [
    "every agent can read it",
    { agents: [agent], everyone: "all", takers: [], everyoneTakes: "all" },
  ],
  ["every verified agent can read it", { agents: [verified], everyone: "verified" }],
  [
    "every verified agent and 1 other can read it",
    { agents: [verified, agent], everyone: "verified" },
  ],
  ["1 agent can read it without asking you, after saying why", { takers: [agent] }],
  [
    "2 agents can read it, and 1 agent without asking you, after saying why",
    { agents: [agent, agent], takers: [agent] },
  ],
  [
    "every verified agent can read it without asking you, after saying why",
    { takers: [verified], everyoneTakes: "verified" },
  ],
  [
    "1 agent can read it, and every verified agent and 1 other without asking you, after saying why",
    { agents: [agent], takers: [verified, agent], everyoneTakes: "verified" },
  ],
  [
    "every verified agent can read it, and every other agent without asking you, after saying why",
    { agents: [verified], everyone: "verified", takers: [agent], everyoneTakes: "all" },
  ],
  [
    "every verified agent can read it, and 1 agent without asking you, after saying why",
    { everyone: "verified", takers: [agent], everyoneTakes: "verified" },
  ],
  ["every verified agent can read it", { everyone: "verified", everyoneTakes: "verified" }],
])("says “%s”", (words, audience) => {
  expect(audienceWords({ ...nobody, ...audience })).toBe(words);
});

test.each<[string, Partial<Audience>]>([
  ["No agent", {}],
  ["1 agent", { takers: [agent] }],
  ["2 agents", { agents: [verified], takers: [agent] }],
  ["All verified", { agents: [verified], everyone: "verified" }],
  ["All verified and 1 other", { agents: [verified], everyone: "verified", takers: [agent] }],
  ["All verified and 1 other", { agents: [agent], takers: [verified], everyoneTakes: "verified" }],
  ["All agents", { agents: [verified], everyone: "verified", everyoneTakes: "all" }],
])("says “%s” in short", (words, audience) => {
  expect(audienceShort({ ...nobody, ...audience })).toBe(words);
});
