import { readdirSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import vectors from "@/lib/protocol/vectors/signature.json";
import { docsFile, docsPages } from "./docs-file";
import { Markdown } from "./markdown";
import { codeBlock } from "./markdown-tokens";

const names = [...docsPages, "index", "export"] as const;
const parts = { chapters: null, registration: null };

function rendered(name: (typeof names)[number]): string {
  return renderToStaticMarkup(<Markdown text={docsFile(name)} parts={parts} />);
}

test("every file of docs/ has a page", () => {
  const files = readdirSync("docs").filter((file) => file.endsWith(".md"));
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.md`).toSorted());
});

describe.each(names)("docs/%s.md", (name) => {
  const html = rendered(name);

  test("renders without leftover Markdown", () => {
    expect(html).toMatch(/^<h1 /);
    expect(html.replaceAll(/<(pre|code)[\s\S]*?<\/\1>/g, "")).not.toMatch(/`|\*\*|\]\(/);
  });

  test("does not tell to run `npx prof`, a package name that anybody may register", () => {
    expect(docsFile(name)).not.toContain("npx prof");
  });

  test("has no heading twice", () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("links to pages and headings that exist", () => {
    const links = [...html.matchAll(/ href="\/docs\/([a-z-]+)(?:#([^"]*))?"/g)];
    const generated = readdirSync("app/docs").filter((folder) => !/[_[.]/.test(folder));
    for (const [, to = "", heading] of links) {
      const page = names.find((each) => each === to);
      expect([...generated, ...names]).toContain(to);
      if (heading !== undefined && page) expect(rendered(page)).toContain(` id="${heading}"`);
    }
  });
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
