import { generatedSections } from "../../_sections/sections";
import { docsFile } from "../docs-file";
import { type DocsName, docsHref, docsNames } from "../docs-pages";
import { anchorOf, documentOf } from "../markdown/markdown-tokens";

export interface IndexedSection {
  href: string;
  /** The title of its page. */
  page: string;
  title: string;
  text: string;
}

let index: IndexedSection[] | undefined;

/** Returns every section of the documentation. The files do not change while the process runs. */
export function docsIndex(): IndexedSection[] {
  index ??= docsNames.flatMap(sectionsOf);
  return index;
}

function sectionsOf(name: DocsName): IndexedSection[] {
  const { title: page, lead, sections } = documentOf(docsFile(name));
  const written = sections.map(({ heading, body }) => ({
    id: anchorOf(heading.text),
    title: heading.text,
    text: body.map(({ raw }) => plainText(raw)).join(" "),
  }));
  return [
    { href: docsHref(name), page, title: page, text: plainText(lead.raw) },
    ...[...written, ...generatedSections(name)].map(({ id, title, text }) => ({
      ...{ href: `${docsHref(name)}#${id}`, page, title, text },
    })),
  ];
}

/** Leaves the words of Markdown. */
function plainText(markdown: string): string {
  return markdown
    .replace(
      /<!--.*?-->|^```.*$|\]\([^)]*\)|\*\*|(?<=\s)\*(?=\w)|(?<=\w)\*(?=\W)|[`[]|(?<=\s|^)\|(?=\s|$)|-{3,}/gm,
      "",
    )
    .replace(/\s+/g, " ")
    .trim();
}
