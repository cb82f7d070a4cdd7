import type { Metadata } from "next";
import { bashCalls, bashSetup } from "../_examples/bash";
import { pythonExample } from "../_examples/python";
import { typescriptExample } from "../_examples/typescript";
import { demoWho } from "../_examples/who";
import { Code, Mono } from "../_parts/code";
import { gatewayUrl } from "../_parts/gateway-url";
import { Page, Section, Text } from "../_parts/page";

export const metadata: Metadata = { title: "Examples" };

export default async function ExamplesPage() {
  const who = { gateway: await gatewayUrl(), ...demoWho };
  return (
    <Page
      title="Examples"
      lead="Whole programs that work when they are pasted. They use the agent and the owner of the demo data; put in your own DID, key file and owner for anything else."
    >
      <Section id="cli" title="Command line client">
        <Text>
          Inside the project's folder, after <Mono>npm start -- --demo</Mono>:
        </Text>
        <Code title="prof">
          {`npx prof profile alice --demo iris
npx prof access alice --demo iris --scopes prof:interests --purpose personalization
npx prof propose alice --demo iris --category prof:interests --content "Plays chess on Sundays."
npx prof proposals --demo alice --status pending
npx prof sign GET /prof/v1/profile/${who.owner} --explain --demo iris`}
        </Code>
      </Section>
      <Section id="bash" title="bash, curl and openssl">
        <Text>
          It needs OpenSSL 3; the LibreSSL that comes with macOS cannot sign with Ed25519 keys this
          way.
        </Text>
        <Code title="Once in a shell">{bashSetup(who)}</Code>
        <Code title="Then">{bashCalls}</Code>
      </Section>
      <Section id="typescript" title="TypeScript">
        <Text>
          Nothing but Node.js. Save it as <Mono>agent.ts</Mono> and run{" "}
          <Mono>npx tsx agent.ts</Mono>, or <Mono>node agent.ts</Mono> from Node.js 22.18 on. In
          this project, <Mono>lib/protocol/client.ts</Mono> is a typed client.
        </Text>
        <Code title="agent.ts">{typescriptExample(who)}</Code>
      </Section>
      <Section id="python" title="Python">
        <Text>
          With the package <Mono>cryptography</Mono>; everything else is in the standard library.
        </Text>
        <Code title="agent.py">{pythonExample(who)}</Code>
      </Section>
    </Page>
  );
}
