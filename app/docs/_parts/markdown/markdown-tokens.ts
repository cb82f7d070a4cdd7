import { type MarkedToken, marked, type Token, type Tokens } from "marked";

import type { ContentsEntry } from "../contents";

export type DocsSection = { heading: Tokens.Heading; body: MarkedToken[] };

/** A title, a lead paragraph, then a section for each second-level heading. */
export function documentOf(text: string) {
  const [title, lead, ...rest] = tokensOf(text);
  if (title?.type !== "heading" || lead?.type !== "paragraph") {
    throw new Error("A file of docs/ begins with a title and a paragraph.");
  }
  return { title: title.text, lead, sections: sectionsOf(rest) };
}

/** Returns the title of a file. */
export function titleIn(text: string): string {
  return documentOf(text).title;
}

/** Returns the code block with this title, which follows the block's language. */
export function codeBlock(text: string, title: string): string {
  const found = tokensOf(text).filter((token) => token.type === "code" && titleOf(token) === title);
  const [block] = found;
  if (block?.type !== "code" || found.length > 1) throw new Error(`Not one block "${title}".`);
  return block.text;
}

export function titleOf({ lang = "" }: Tokens.Code): string {
  const [language = "", ...title] = lang.split(" ");
  return title.join(" ") || language;
}

export function languageOf({ lang = "" }: Tokens.Code): string {
  return lang.split(" ")[0] ?? "";
}

/** Returns the headings of sections, and those inside them. */
export function entriesOf(sections: readonly DocsSection[]): ContentsEntry[] {
  return sections.flatMap(({ heading, body }) => [
    entryOf(heading),
    ...body.flatMap((token) =>
      token.type === "heading" ? [{ ...entryOf(token), isSub: true }] : [],
    ),
  ]);
}

function entryOf({ text }: Tokens.Heading): ContentsEntry {
  return { id: anchorOf(text), title: text };
}

/** The fragment that leads to a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]+/gu, "")
    .replaceAll(" ", "-");
}

// Without extensions, the lexer makes no other tokens.
export function known(tokens: readonly Token[] = []): MarkedToken[] {
  return tokens as MarkedToken[];
}

function tokensOf(text: string): MarkedToken[] {
  return known(marked.lexer(text)).filter(({ type }) => type !== "space");
}

function sectionsOf(tokens: readonly MarkedToken[]): DocsSection[] {
  const sections: DocsSection[] = [];
  for (const token of tokens) {
    const section = sections.at(-1);
    if (token.type === "heading" && token.depth === 2) sections.push({ heading: token, body: [] });
    else if (section === undefined) throw new Error(`No section for: ${token.raw}`);
    else section.body.push(token);
  }
  return sections;
}
