import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allChecks } from "./checks/all";

// Section 7 of docs/protocol.md has the rule **Limits**, which a check cites as "Protocol 7, Limits".

const sections = readFileSync("docs/protocol.md", "utf8").split(/^## /m);

test("each rule that a check cites is in docs/protocol.md", () => {
  const cited = allChecks.flatMap(({ cites }) => [...cites.matchAll(/Protocol (\d+), ([^:;]+)/g)]);
  expect(cited.length).toBeGreaterThan(50);
  const missing = cited.filter(([, section, rule = ""]) => {
    const text = sections.find((each) => each.startsWith(`${section}. `)) ?? "";
    return !text.toLowerCase().includes(rule.toLowerCase());
  });
  expect(missing.map(([citation]) => citation)).toEqual([]);
});
