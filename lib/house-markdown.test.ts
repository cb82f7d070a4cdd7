import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

// Markdown names files of this repository in code spans and links. They must exist.

const documents = [".", "docs", "docs/decisions", "bench"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join(folder, name)),
);
const roots = /^(app|bench|cli|conformance|docs|e2e|lib|prisma|public|scripts|server|tests)\//;
// Names that a reader fills in, and files of a folder that is named in the text before them.
const isPattern = (name: string) => /[<{*…]|0002_a_name/.test(name);

test.each(documents)("%s names files that exist", (document) => {
  const text = readFileSync(document, "utf8");
  const spans = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = ""]) => name);
  const links = [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)|src(?:set)?="([^"]+)"/g)]
    .map(([, link, source]) => link ?? source ?? "")
    .filter((link) => !link.startsWith("/"))
    .map((link) => path.join(path.dirname(document), link));
  const files = [...spans.filter((name) => roots.test(name) && !isPattern(name)), ...links];
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
