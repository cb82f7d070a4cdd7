import Link from "next/link";
import type { ReactNode } from "react";
import { engine } from "@/lib/engine/engine";
import { type DocsName, docsHref } from "./docs-pages";
import { Limits } from "./limits";
import { Text } from "./page";

/** What lines like `<!-- part: name -->` in the files of `docs/` stand for on a running gateway. */
export const docsParts: Readonly<Record<string, ReactNode>> = {
  chapters: <Chapters />,
  limits: <Limits />,
  registration: <Registration />,
};

const chapters: [DocsName, string, string][] = [
  ["help", "Help for owners", "What each screen of the dashboard is for."],
  ["guide", "Guide", "From the first read to a memory: consent, receipts, waiting, proposals."],
  ["signing", "Signing a request", "Eight lines, one signature, one header."],
  ["examples", "Examples", "bash, TypeScript and Python, ready to paste."],
  ["endpoints", "Endpoints", "Parameters, bodies, answers and errors of each."],
  ["errors", "Errors", "What each code means and what to do."],
  ["limits", "Limits and versions", "How much, how large, which version."],
  ["tokens", "Connection tokens", "For agents that cannot keep a key."],
  ["agents", "Agents and keys", "Registering, rotating, DID documents."],
  ["protocol", "Protocol rules", "What this gateway does where the specification is silent."],
];

function Chapters() {
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {chapters.map(([name, title, text]) => (
        <li key={name}>
          <Link href={docsHref(name)} className="block h-full box p-4 hover:border-edge">
            <span className="font-semibold">{title}</span>
            <span className="mt-1 block text-muted">{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
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
