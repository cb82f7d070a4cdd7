import { expect, test } from "vitest";
import { agentWords } from "./agent-name";

const did = "did:prof:agent:local:iris";

test.each([
  ["a plain name stays", "Iris", "Iris"],
  ["what cannot be seen is left out", "I\u200bri\u202es", "Iris"],
  ["of a name that cannot be seen at all, the DID's remains", "\u200b\u2800", "iris"],
  ["without a name, the DID's remains", null, "iris"],
])("where only characters go, %s", (_what, name, words) => {
  expect(agentWords({ did, name })).toBe(words);
});
