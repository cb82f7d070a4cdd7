import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { docsFile } from "@/app/docs/_parts/docs-file";
import { docsHref, docsNames } from "@/app/docs/_parts/docs-pages";
import { anchorOf, documentOf } from "@/app/docs/_parts/markdown/markdown-tokens";
import { helpFor } from "./help-link";

const pages = ["dashboard", "admin"].flatMap((folder) =>
  readdirSync(`app/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?:^|\/)page\.tsx$/.test(file))
    .map((file) => `/${folder}/${file.replace(/\/?page\.tsx$/, "")}`),
);
const written = docsNames.flatMap((name) =>
  documentOf(docsFile(name)).sections.map(
    ({ heading }) => `${docsHref(name)}#${anchorOf(heading.text)}`,
  ),
);

test.each(pages)("help with %s leads to a section that is written", (address) => {
  expect(written).toContain(helpFor(address));
});

test("a page leads to the section about it, not about the page above", () => {
  expect(helpFor("/dashboard/access/policies/new")).toBe("/docs/help#rules");
  expect(helpFor("/dashboard/access")).toBe("/docs/help#access-requests");
  expect(helpFor("/dashboard")).toBe("/docs/help#overview");
  expect(helpFor("/admin/users/usr_1")).toBe("/docs/operations#admins");
});
