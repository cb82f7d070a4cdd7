import type { Metadata } from "next";
import { Code, Mono } from "../_parts/code";
import { gatewayUrl } from "../_parts/gateway-url";
import { Page, Section, Text } from "../_parts/page";
import { Table } from "../_parts/table";

export const metadata: Metadata = { title: "Connection tokens" };

export default async function TokensPage() {
  const gateway = await gatewayUrl();
  return (
    <Page
      title="Connection tokens"
      lead="A token stands in for the signature. The profile's owner issues it in the dashboard, for one agent and one profile. It is shown once."
    >
      <Section id="use" title="Using one">
        <Code title="bash">
          {`GATEWAY=${gateway}
TOKEN=profct_…

# the profile that the token belongs to
curl -sS "$GATEWAY/prof/v1/profile" -H "Authorization: Bearer $TOKEN"

# a proposal for it
curl -sS "$GATEWAY/prof/v1/profile/memories/propose" -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" \\
  --data-binary '{"category":"prof:interests","content":"Plays chess on Sundays."}'`}
        </Code>
        <Text>
          The standard paths, with the owner's DID, take a token as well. Prefer them: the two paths
          without a DID are an option that another gateway may not have. With a signature they are
          refused, for a signature does not say whose profile is meant.
        </Text>
      </Section>
      <Reach />
    </Page>
  );
}

function Reach() {
  return (
    <Section id="reach" title="What it can and cannot do">
      <Table
        caption="What a token can do"
        head={["Question", "Answer"]}
        rows={[
          ["Form", "profct_ and 49 letters and digits. Six of them are a checksum."],
          ["Life", "30 days unless the owner chose otherwise, at most 365."],
          ["Scopes", "Those it was issued for, and of them what the owner's policies allow now."],
          ["Reading", "With the permission read."],
          ["Proposing", "With the permission propose."],
          ["Reviewing", "Never."],
          ["Another profile", "403 PROF002."],
          ["Expired or revoked", "401 PROF001, with the very next request."],
        ]}
      />
      <Text>
        Whoever has the token can use it, so keep it like a password. Where an agent can keep a key,{" "}
        <Mono>PROF-Signature</Mono> is the safer way: nothing that is sent can be used again.
      </Text>
    </Section>
  );
}
