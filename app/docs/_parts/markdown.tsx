import type { MarkedToken, Token, Tokens } from "marked";
import Link from "next/link";
import { createElement, Fragment, type ReactNode } from "react";
import { Code, Mono } from "./code";
import { anchorOf, documentOf, known, titleOf } from "./markdown-tokens";
import { Page, Section, Text } from "./page";
import { Table } from "./table";

interface MarkdownProps {
  /** The text of a file in `docs/`. */
  text: string;
  /** Replacements for lines like `<!-- part: name -->`. */
  parts?: Readonly<Record<string, ReactNode>>;
  /** Sections that do not come from the file, after its own. */
  children?: ReactNode;
}

type Parts = NonNullable<MarkdownProps["parts"]>;

/** Renders a file of `docs/` in the look of these pages. */
export function Markdown({ text, parts = {}, children }: MarkdownProps) {
  const { title, lead, sections } = documentOf(text);
  return (
    <Page title={title} lead={inline(lead.tokens)}>
      {sections.map(({ heading, body }) => (
        <Section key={heading.text} id={anchorOf(heading.text)} title={heading.text}>
          {joined(body.map((token) => block(token, parts, heading.text)))}
        </Section>
      ))}
      {children}
    </Page>
  );
}

function block(token: MarkedToken, parts: Parts, section: string): ReactNode {
  switch (token.type) {
    case "paragraph":
      return <Text>{inline(token.tokens)}</Text>;
    case "text":
      return inline(token.tokens);
    case "heading":
      return (
        <h3 id={anchorOf(token.text)} className="scroll-mt-6 font-semibold">
          {inline(token.tokens)}
        </h3>
      );
    case "code":
      return <Code title={titleOf(token)}>{token.text}</Code>;
    case "list":
      return token.ordered ? steps(token) : bullets(token);
    case "table":
      return table(token, section);
    case "html":
      return partOf(token, parts);
    case "space":
      return null;
    default:
      throw new Error(`docs/ has no look for ${token.type}.`);
  }
}

function bullets({ items }: Tokens.List): ReactNode {
  const lines = items.map(({ tokens }) => createElement("li", null, inline(tokens)));
  const className = "flex max-w-prose list-disc flex-col gap-2 pl-5";
  return createElement("ul", { className }, ...lines);
}

function steps({ items }: Tokens.List): ReactNode {
  const lines = items.map(({ tokens }, index) => (
    <li key={tokens[0]?.raw} className="flex gap-3">
      <span
        aria-hidden="true"
        className="flex size-7 shrink-0 items-center justify-center rounded-box bg-accent-soft font-mono text-xs font-medium text-accent-strong"
      >
        {index + 1}
      </span>
      <div className="min-w-0 max-w-prose pt-0.5 [overflow-wrap:anywhere]">{inline(tokens)}</div>
    </li>
  ));
  return <ol className="flex flex-col gap-3">{lines}</ol>;
}

function table({ header, rows }: Tokens.Table, caption: string): ReactNode {
  const names = rows.map(([first]) => first);
  return (
    <Table
      code={names.every((cell) => cell?.tokens[0]?.type === "codespan")}
      caption={caption}
      head={header.map(({ text }) => text)}
      rows={rows.map(([first, ...cells]) => [
        (first?.text ?? "").replaceAll("`", ""),
        ...cells.map(({ tokens }) => inline(tokens)),
      ])}
    />
  );
}

function partOf({ text }: Tokens.HTML | Tokens.Tag, parts: Parts): ReactNode {
  const [, name] = text.match(/^<!-- part: (\w+) -->\s*$/) ?? [];
  const part = name === undefined ? undefined : parts[name];
  if (part === undefined) throw new Error(`docs/ takes no HTML, and no such part: ${text}`);
  return part;
}

function inline(tokens: readonly Token[] | undefined): ReactNode {
  return joined(known(tokens).map(phrase));
}

function phrase(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "text":
      return token.tokens === undefined ? token.text : inline(token.tokens);
    case "paragraph":
      return inline(token.tokens);
    case "escape":
      return token.text;
    case "codespan":
      return <Mono>{token.text}</Mono>;
    case "strong":
      return <strong className="font-semibold">{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "link":
      return link(token);
    default:
      throw new Error(`docs/ has no look for ${token.type} in a line.`);
  }
}

// A link to a file beside this one leads to its page. What has no page is not linked.
function link({ href, tokens }: Tokens.Link): ReactNode {
  const to = href.replace(/^([a-z-]+)\.md(?=#|$)/, "/docs/$1");
  const words = inline(tokens);
  if (to.startsWith("#") || to === "/openapi.json") {
    return (
      <a className="text-accent underline" href={to}>
        {words}
      </a>
    );
  }
  if (!to.startsWith("/")) return words;
  return (
    <Link className="text-accent underline" href={to}>
      {words}
    </Link>
  );
}

// As arguments, children need no keys.
function joined(nodes: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...nodes);
}
