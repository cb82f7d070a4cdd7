import Link from "next/link";
import { docsText } from "./_parts/docs-file";
import { Markdown } from "./_parts/markdown";

const chapters = [
  ["/docs/guide", "From the first read to a memory", "Consent, receipts, waiting, proposals."],
  ["/docs/signing", "Signing a request", "Eight lines, one signature, one header."],
  ["/docs/examples", "Examples", "bash, TypeScript and Python, ready to paste."],
  ["/docs/endpoints", "Endpoints", "Parameters, bodies, answers and errors of each."],
  ["/docs/errors", "Errors", "What each code means and what to do."],
  ["/docs/limits", "Limits and versions", "How much, how large, which version."],
  ["/docs/tokens", "Connection tokens", "For agents that cannot keep a key."],
  ["/docs/agents", "Agents and keys", "Registering, rotating, DID documents."],
  ["/docs/protocol", "Protocol rules", "What this gateway does where the specification is silent."],
] as const;

export default async function DocsPage() {
  return <Markdown text={await docsText("index")} parts={{ chapters: <Chapters /> }} />;
}

function Chapters() {
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {chapters.map(([href, title, text]) => (
        <li key={href}>
          <Link
            href={href}
            className="block h-full rounded-box border border-line bg-surface p-4 shadow-raised hover:border-edge"
          >
            <span className="font-medium text-accent">{title}</span>
            <span className="mt-1 block text-muted">{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
