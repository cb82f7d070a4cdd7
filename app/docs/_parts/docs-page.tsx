import { generatedSections } from "../_sections/sections";
import { docsText } from "./docs-file";
import type { DocsName } from "./docs-pages";
import { Markdown } from "./markdown/markdown";
import { docsParts } from "./parts";

/** Shows a file of `docs/`, and the sections that are made from the code. */
export async function DocsPage({ name }: { name: DocsName }) {
  return (
    <Markdown text={await docsText(name)} parts={docsParts} generated={generatedSections(name)} />
  );
}
