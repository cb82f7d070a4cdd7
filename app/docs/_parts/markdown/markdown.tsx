import type { MarkedToken, Token, Tokens } from "marked";
import Link from "next/link";
import { createElement, Fragment, type ReactNode } from "react";
import type { GeneratedSection } from "../../_sections/generated-section";
import { HeadingLink, Page, Section, Text } from "../page";
import { Table } from "../table";
import { Code, Mono } from "./code";
import { anchorOf, documentOf, entriesOf, known, languageOf, titleOf } from "./markdown-tokens";

interface MarkdownProps {
  /** The text of a file in `docs/`. */
  text: string;
  /** Replacements for lines like `<!-- part: name -->`. */
  parts?: Readonly<Record<string, ReactNode>>;
  /** Sections that do not come from the file, after its own. */
  generated?: readonly Pick<GeneratedSection, "id" | "title" | "body">[];
}

type Parts = NonNullable<MarkdownProps["parts"]>;

/** Renders a file of `docs/` in the look of these pages. */
export function Markdown({ text, parts = {}, generated = [] }: MarkdownProps) {
  const { title, lead, sections } = documentOf(text);
  return (
    <Page
      title={title}
      lead={inline(lead.tokens)}
      contents={[...entriesOf(sections), ...generated]}
    >
      {sections.map(({ heading, body }) => (
        <Section key={heading.text} id={anchorOf(heading.text)} title={heading.text}>
          {joined(body.map((token) => block(token, parts, heading.text)))}
        </Section>
      ))}
      {generated.map(({ id, title, body }) => (
        <Section key={id} id={id} title={title}>
          {body}
        </Section>
      ))}
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
          <HeadingLink id={anchorOf(token.text)}>{inline(token.tokens)}</HeadingLink>
        </h3>
      );
    case "code":
      return (
        <Code title={titleOf(token)} language={languageOf(token)}>
          {token.text}
        </Code>
      );
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
        className="flex size-7 shrink-0 items-center justify-center rounded-key bg-sunken font-mono text-small font-medium text-ink"
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
      <a className="link" href={to}>
        {words}
      </a>
    );
  }
  if (!to.startsWith("/")) return words;
  return (
    <Link className="link" href={to}>
      {words}
    </Link>
  );
}

// As arguments, children need no keys.
function joined(nodes: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...nodes);
}
