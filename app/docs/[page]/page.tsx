import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { engine } from "@/lib/engine/engine";
import { type DocsPage, docsFile, docsPages, docsText } from "../_parts/docs-file";
import { Markdown } from "../_parts/markdown";
import { titleIn } from "../_parts/markdown-tokens";
import { Text } from "../_parts/page";

interface Props {
  params: Promise<{ page: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: titleIn(docsFile(await pageIn(params))) };
}

/** Shows a file of `docs/`. */
export default async function DocsFilePage({ params }: Props) {
  const page = await pageIn(params);
  return <Markdown text={await docsText(page)} parts={{ registration: <Registration /> }} />;
}

async function pageIn(params: Props["params"]): Promise<DocsPage> {
  const { page } = await params;
  return docsPages.find((name) => name === page) ?? notFound();
}

const modes = {
  open: "On this gateway, an agent that registers itself is active at once.",
  approval: "On this gateway, an agent that registers itself waits until an admin approves it.",
  closed: "On this gateway, agents cannot register themselves. Ask an admin to register yours.",
};

function Registration() {
  const { AGENT_REGISTRATION, LIMIT_REGISTER } = engine().settings.values();
  return (
    <Text>
      {modes[AGENT_REGISTRATION]} A network address may try {LIMIT_REGISTER} times an hour.
    </Text>
  );
}
