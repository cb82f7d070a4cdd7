import type { Metadata } from "next";
import { bashCalls, bashSetup } from "../_examples/bash";
import { pythonExample } from "../_examples/python";
import { typescriptExample, typescriptFile } from "../_examples/typescript";
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
          In the folder of the gateway's source, after <Mono>npm start -- --demo</Mono>. The client
          is not published as a package:
        </Text>
        <Code title="prof">
          {`node cli/prof.mjs profile alice --demo iris
node cli/prof.mjs access alice --demo iris --scopes prof:interests --purpose personalization
node cli/prof.mjs propose alice --demo iris --category prof:interests --content "Plays chess on Sundays."
node cli/prof.mjs proposals --demo alice --status pending
node cli/prof.mjs sign GET /prof/v1/profile/${who.owner} --explain --demo iris`}
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
          Nothing but Node.js. Save it as <Mono>{typescriptFile}</Mono> and run{" "}
          <Mono>{`npx tsx ${typescriptFile}`}</Mono>, or <Mono>{`node ${typescriptFile}`}</Mono>{" "}
          from Node.js 22.18 on. In this project, <Mono>lib/protocol/client.ts</Mono> is a typed
          client.
        </Text>
        <Code title={typescriptFile}>{typescriptExample(who)}</Code>
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
