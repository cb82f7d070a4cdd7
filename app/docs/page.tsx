import Link from "next/link";
import { Code, Mono } from "./_parts/code";
import { gatewayUrl } from "./_parts/gateway-url";
import { Page, Section, Text } from "./_parts/page";

const chapters = [
  ["/docs/signing", "Signing a request", "Eight lines, one signature, one header."],
  ["/docs/examples", "Examples", "bash, TypeScript and Python, ready to paste."],
  ["/docs/endpoints", "Endpoints", "Parameters, bodies, answers and errors of each."],
  ["/docs/errors", "Errors", "What each code means and what to do."],
  ["/docs/limits", "Limits and versions", "How much, how large, which version."],
  ["/docs/tokens", "Connection tokens", "For agents that cannot keep a key."],
  ["/docs/agents", "Agents and keys", "Registering, rotating, DID documents."],
] as const;

export default async function DocsPage() {
  const gateway = await gatewayUrl();
  return (
    <Page
      title="API reference"
      lead="Agents read profiles as far as their owners allow, ask for access to more, and propose memories. Owners review those proposals. All of it is JSON over HTTP, under /prof/v1."
    >
      <Section id="address" title="Address">
        <Code title="This gateway">{`${gateway}/prof/v1`}</Code>
      </Section>
      <OneRound />
      <Section id="scopes" title="Scopes">
        <Text>
          A scope is <Mono>prof:</Mono> and a name in lower case, with dotted parts if need be:{" "}
          <Mono>prof:professional.preferences</Mono>. It covers everything below it;{" "}
          <Mono>prof:health</Mono> and <Mono>prof:health.*</Mono> reach equally far, and{" "}
          <Mono>prof:*</Mono> covers all. A memory belongs to a category, which is a scope without a
          wildcard. The member <Mono>preferences</Mono> of <Mono>common</Mono> is governed by{" "}
          <Mono>prof:preferences</Mono>, and so on; <Mono>favouriteColours</Mono> by{" "}
          <Mono>prof:favouritecolours</Mono>.
        </Text>
      </Section>
      <Chapters />
    </Page>
  );
}

function OneRound() {
  return (
    <Section id="round" title="One round">
      <ol className="flex max-w-prose list-decimal flex-col gap-2 pl-5">
        <li>
          An agent has a DID such as <Mono>did:prof:agent:local:iris</Mono> and an Ed25519 key that
          is registered here. It signs each request.
        </li>
        <li>
          It reads a profile. What the owner's policies do not show is refused with PROF004, consent
          required.
        </li>
        <li>
          It requests access for scopes and a purpose. The owner answers in the dashboard; the agent
          gets a receipt that lists what was granted and denied.
        </li>
        <li>It reads again, and sees what was granted.</li>
        <li>It proposes a memory. The proposal is pending until the owner reviews it.</li>
        <li>The owner approves. The memory is part of the profile.</li>
      </ol>
    </Section>
  );
}

function Chapters() {
  return (
    <Section id="chapters" title="Read on">
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
      <Text>
        The same as an OpenAPI 3.1 document:{" "}
        <a className="text-accent underline" href="/openapi.json">
          openapi.json
        </a>
      </Text>
    </Section>
  );
}
