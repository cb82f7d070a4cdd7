import { readdirSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { scopesPerRequestMax } from "@/lib/protocol/scope";
import vectors from "@/lib/protocol/vectors/signature.json";
import { supportedVersions } from "@/lib/protocol/version";
import { idleDays, sessionDays } from "@/lib/services/accounts/session-life";
import { generatedSections } from "../../_sections/sections";
import { docsFile } from "../docs-file";
import { type DocsName, docsHref, docsNames } from "../docs-pages";
import { Markdown } from "./markdown";
import { codeBlock } from "./markdown-tokens";

const parts = { chapters: null, limits: null, registration: null };

function rendered(name: DocsName): string {
  return renderToStaticMarkup(
    <Markdown text={docsFile(name)} parts={parts} generated={generatedSections(name)} />,
  );
}

test("every file of docs/ has a page", () => {
  const files = readdirSync("docs").filter((file) => file.endsWith(".md"));
  expect(files.toSorted()).toEqual(docsNames.map((name) => `${name}.md`).toSorted());
});

describe.each(docsNames)("docs/%s.md", (name) => {
  const html = rendered(name);

  test("renders without leftover Markdown", () => {
    expect(html.match(/<h1 /g)).toHaveLength(1);
    const words = html.replaceAll(/<(pre|code)[\s\S]*?<\/\1>|<[^>]*>/g, "");
    expect(words.match(/.{0,40}(?:`|\*\*|\]\().{0,40}/g) ?? []).toEqual([]);
  });

  test("does not tell to run `npx prof`, a package name that anybody may register", () => {
    expect(docsFile(name)).not.toContain("npx prof");
  });

  test("has no heading twice", () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("links to pages and headings that exist", () => {
    for (const [, to, heading] of html.matchAll(/ href="(\/docs[^"#]*)?(?:#([^"]*))?"/g)) {
      const page = to === undefined ? name : docsNames.find((each) => docsHref(each) === to);
      expect(docsNames, to).toContain(page);
      if (heading === undefined || page === undefined) continue;
      expect(page === name ? html : rendered(page)).toContain(` id="${heading}"`);
    }
  });

  test("has every heading of a section in its contents", () => {
    const contents = html.match(/<nav aria-label="On this page">.*?<\/nav>/)?.[0] ?? "";
    const headings = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(headings.length).toBeGreaterThan(0);
    if (headings.length === 1) return;
    const linked = [...contents.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(linked).toEqual(headings);
  });
});

test("numbers in the files are those of the code", () => {
  expect(docsFile("dashboard-api")).toContain(`ends ${idleDays} days after its last use`);
  expect(docsFile("dashboard-api")).toContain(`${sessionDays} days after the sign-in`);
  expect(docsFile("limits")).toContain(`| Scopes in a request | ${scopesPerRequestMax} |`);
  expect(docsFile("limits")).toContain(`This gateway has ${supportedVersions.join(", ")}, and`);
});

test("a text in a block or a line is shown as it is", () => {
  const text = "# T\n\nLead.\n\n## A `<b>`\n\n```js Mine\n<script>&amp;\n```\n\nIs `<i>` & *so*.";
  const html = renderToStaticMarkup(<Markdown text={text} />);
  expect(html).toContain("&lt;script&gt;&amp;amp;");
  expect(html).toContain("&lt;i&gt;");
  expect(html).toContain("<em>so</em>");
  expect(html).toContain(" &amp; ");
});

test.each(["<b>bold</b>", "<!-- part: none -->", "> quoted", "![image](x.png)"])(
  "%s is refused: these pages have no look for it",
  (line) => {
    const text = `# T\n\nLead.\n\n## A\n\n${line}\n`;
    expect(() => renderToStaticMarkup(<Markdown text={text} />)).toThrow(/docs\//);
  },
);

test("the worked example of docs/signing.md is a test vector", () => {
  const [vector] = vectors.requests.filter(
    ({ method, target }) => method === "POST" && target.endsWith("/access"),
  );
  const block = (title: string) => codeBlock(docsFile("signing"), title);
  expect(`${block("The key, PKCS #8")}\n`).toBe(vectors.key.privateKeyPkcs8Pem);
  expect(block("The request")).toBe(
    `POST ${vector?.baseUrl}${vector?.target}\nContent-Type: application/json\n\n${vector?.body}`,
  );
  expect(block("The text that is signed")).toBe(vector?.canonicalText);
  expect(block("The signature, base64")).toBe(vector?.signature);
  expect(block("The header")).toBe(`Authorization: ${vector?.authorization}`);
});
