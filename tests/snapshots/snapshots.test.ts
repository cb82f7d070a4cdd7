import { expect, test } from "vitest";
import { openApiDocument } from "@/lib/protocol/openapi/document";
import { ownSources } from "../house/sources";
import { adminsForms, ownersForms } from "../security/cases/forms";

// What a rebuild must not lose by accident. Where a difference is meant, `npx vitest run tests/snapshots -u`
// writes the files again, and the review sees what changed.

test("the OpenAPI document is the one that was published", async () => {
  const document = JSON.stringify(openApiDocument("https://gateway.example"), null, 2);
  await expect(`${document}\n`).toMatchFileSnapshot("openapi.json");
});

test("every form takes the fields that it took", async () => {
  const fields = new Map<string, Set<string>>();
  for (const [action, values] of [...ownersForms, ...adminsForms]) {
    const names = fields.get(action) ?? new Set();
    for (const name of Object.keys(values)) names.add(name);
    fields.set(action, names);
  }
  const lines = [...fields].map(([action, names]) => `${action}: ${[...names].sort().join(", ")}`);
  await expect(textOf(lines.sort())).toMatchFileSnapshot("forms.txt");
});

test("the pages name the form fields that they named", async () => {
  const pages = ownSources().filter(({ file }) => /^app\/.*\.tsx$/.test(file));
  const names = pages.flatMap(({ text }) =>
    [...text.matchAll(/\bname=(?:"([a-z][^"]*)"|\{`([^`]+)`\})/g)].map(
      ([, name, made]) => name ?? made,
    ),
  );
  await expect(textOf([...new Set(names)].sort())).toMatchFileSnapshot("fields.txt");
});

function textOf(lines: readonly (string | undefined)[]): string {
  return `${lines.join("\n")}\n`;
}
