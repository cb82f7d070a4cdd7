import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { docsFile } from "../_parts/docs-file";
import { DocsPage } from "../_parts/docs-page";
import { type DocsName, isDocsName } from "../_parts/docs-pages";
import { titleIn } from "../_parts/markdown/markdown-tokens";

interface Props {
  params: Promise<{ page: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: titleIn(docsFile(await nameIn(params))) };
}

export default async function DocsFilePage({ params }: Props) {
  return <DocsPage name={await nameIn(params)} />;
}

async function nameIn(params: Props["params"]): Promise<DocsName> {
  const { page } = await params;
  return page !== "index" && isDocsName(page) ? page : notFound();
}
