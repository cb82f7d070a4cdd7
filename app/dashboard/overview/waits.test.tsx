import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Waits } from "./waits";

const owner = "did:prof:user:local:alice";
const now = new Date("2026-03-01T12:00:00Z");

function pageWith(agent: { did: string; name: string | null }): string {
  const named = { ...agent, verified: false };
  const proposals = {
    ...{ count: 1, sensitive: 0, nextEnd: null },
    claim: { agent: named, content: "Prefers window seats." },
    agents: [{ agent: named, count: 1 }],
  };
  const overview = { did: owner, displayName: "Alice", proposals, hasProposals: true, requests: 0 };
  return renderToStaticMarkup(<Waits overview={overview} requests={[]} now={now} />);
}

test("what an owner proposed with a key of their own is said to be theirs", () => {
  const page = pageWith({ did: owner, name: null });
  expect(page).toContain('title="You"');
  expect(page).toContain(">You</p>");
  expect(page).not.toContain("alice");
});

test("a proposal of an agent has the agent's name beside it, and whether it is verified", () => {
  const page = pageWith({ did: "did:prof:agent:local:iris", name: "Iris" });
  expect(page).toContain('title="Iris, not verified"');
  expect(page).toContain("Not verified</span>");
});

test("an agent named “You” does not look like the owner", () => {
  const page = pageWith({ did: "did:prof:agent:local:you", name: "You" });
  expect(page).not.toContain('title="You"');
  expect(page).toContain('title="You, not verified"');
  expect(page).not.toContain(">You</p>");
  expect(page).toContain("Not verified</span>");
});
