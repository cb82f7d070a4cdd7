import type { Metadata } from "next";
import { engine } from "@/lib/engine/engine";
import { demoWho } from "../_examples/who";
import { Code, Mono } from "../_parts/code";
import { gatewayUrl } from "../_parts/gateway-url";
import { Page, Section, Text } from "../_parts/page";
import { Table } from "../_parts/table";

export const metadata: Metadata = { title: "Agents and keys" };

const modes = {
  open: "An agent that registers itself here is active at once.",
  approval: "An agent that registers itself here waits until an admin approves it.",
  closed: "Agents cannot register themselves here. Ask whoever runs this gateway.",
};

export default async function AgentsPage() {
  const gateway = await gatewayUrl();
  return (
    <Page
      title="Agents and keys"
      lead="An agent is a DID and up to five keys. It registers with a request that its own key signs, which proves that it holds the key."
    >
      <Registering gateway={gateway} />
      <States />
      <Section id="keys" title="Keys">
        <Text>
          Ed25519 only. A DID has at most five active keys, so that a new one works before the old
          one is revoked: add, then revoke. A revoked key is refused with the very next request, and
          never comes back.
        </Text>
        <Code title="The keys of an active agent, as a DID document">
          {`curl -sS ${gateway}/api/did/${demoWho.agent}`}
        </Code>
      </Section>
    </Page>
  );
}

function Registering({ gateway }: { gateway: string }) {
  const settings = engine().settings.values();
  return (
    <Section id="register" title="Registering an agent">
      <Text>
        {modes[settings.AGENT_REGISTRATION]} These endpoints are outside the protocol: another
        gateway may do it differently.
      </Text>
      <Code title="With the command line client, in the folder of the gateway's source">
        {`node cli/prof.mjs keygen --out iris.pem
node cli/prof.mjs register --url ${gateway} --did ${demoWho.agent} --key iris.pem --name Iris --save
node cli/prof.mjs profile ${demoWho.owner}`}
      </Code>
      <Text>
        Without the client: sign <Mono>POST /api/agents</Mono> as any other request, with the key
        that the body brings.
      </Text>
      <Members />
      <Code title="201 Created">
        {JSON.stringify(
          {
            success: true,
            data: { did: demoWho.agent, status: "pending" },
            meta: {
              requestId: "req_2bNf6WkZ9rDxV4eUy7GsHt",
              timestamp: "2030-01-31T12:00:00.000Z",
            },
          },
          null,
          2,
        )}
      </Code>
      <Text>
        The same DID with the same key again is 200 and changes nothing: it tells the status as it
        is now. With another key it is 403 PROF002, and so is a DID that was deleted. From one
        network address {settings.LIMIT_REGISTER} tries an hour are taken.
      </Text>
    </Section>
  );
}

function States() {
  return (
    <Section id="states" title="States of an agent">
      <Table
        code
        caption="States of an agent"
        head={["Status", "What it means"]}
        rows={[
          ["pending", "An admin has not approved it yet. Its requests get 401 PROF001."],
          ["active", "It may ask. What it sees is up to each owner."],
          ["suspended", "An admin stopped it. Its requests get 403 PROF002."],
        ]}
      />
    </Section>
  );
}

function Members() {
  return (
    <Table
      code
      caption="Members of the body"
      head={["Member", "What it is"]}
      rows={[
        [
          "did",
          "Required. did:prof:agent:<namespace>:<name>, the same as in the header. Namespace and name have up to 64 of A–Z a–z 0–9 . _ -",
        ],
        ["name", "Required. What owners see, up to 100 characters."],
        [
          "publicKey",
          "Required. Ed25519: SPKI PEM, JWK (an object or its text), did:key, multibase, or base64 of the 32 bytes. A private key is refused.",
        ],
        ["description", "What the agent does, up to 500 characters."],
        ["operator", "Who runs it, up to 200 characters."],
      ]}
    />
  );
}
