import { expect, it } from "vitest";
import { isAgentPattern, matchesAgent, reachesEveryAgent } from "./agent-pattern";
import { everyAgent } from "./facts";

const iris = "did:prof:agent:local:iris.v2";

it.each([
  ["did:prof:agent:local:iris.v2", true],
  ["did:prof:agent:*:*", true],
  ["did:prof:agent:local:*", true],
  ["did:prof:agent:*:iris.v2", true],
  ["did:prof:agent:lo*al:ir*v*", true],
  ["did:prof:agent:local:*iris.v2*", true],
  ["did:prof:agent:local:**", true],
  ["did:prof:agent:local:iris", false],
  ["did:prof:agent:local:Iris.v2", false],
  ["did:prof:agent:local:iris?v2", false],
  ["did:prof:agent:local:irisxv2", false],
  ["did:prof:agent:other:*", false],
  ["did:prof:agent:local:*v2*v2", false],
  ["did:prof:agent:local:iris.v2*iris.v2", false],
  ["did:prof:agent:local:*ri*ri*", false],
  ["did:prof:agent:lo*", false],
  ["did:prof:agent:*", false],
  ["did:prof:*:local:iris.v2", false],
  ["did:prof:user:*:*", false],
  ["*", false],
  ["", false],
  ["did:prof:agent:local:(iris.v2)", false],
  [".*", false],
])("the pattern %s names iris: %s", (pattern, expected) => {
  expect(matchesAgent(pattern, iris)).toBe(expected);
});

it.each(["did:prof:user:local:alice", "did:prof:agent:local", "did:prof:agent:a:b:c", ""])(
  "no pattern names %j, which is no agent",
  (did) => {
    expect(matchesAgent(everyAgent, did)).toBe(false);
    expect(matchesAgent(did, did)).toBe(false);
  },
);

it("an editor can tell a pattern from what would match nobody", () => {
  expect(isAgentPattern(everyAgent)).toBe(true);
  expect(isAgentPattern(iris)).toBe(true);
  expect(isAgentPattern("did:prof:agent:*")).toBe(false);
  expect(isAgentPattern("did:prof:agent:local:")).toBe(false);
});

it("a pattern made to be slow is not", () => {
  const pattern = `did:prof:agent:local:${"*a".repeat(31)}*b`;
  const did = `did:prof:agent:local:${"a".repeat(64)}`;
  const before = performance.now();
  for (let round = 0; round < 1_000; round += 1) expect(matchesAgent(pattern, did)).toBe(false);
  expect(performance.now() - before).toBeLessThan(1_000);
});

it.each([
  [everyAgent, true],
  ["did:prof:agent:**:***", true],
  ["did:prof:agent:local:*", false],
  ["did:prof:agent:*:iris*", false],
  [`did:prof:agent:*:${"*".repeat(65)}`, false],
  ["*", false],
])("whether %s reaches every agent is %s", (pattern, reaches) => {
  expect(reachesEveryAgent(pattern)).toBe(reaches);
});
