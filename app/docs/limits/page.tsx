import type { Metadata } from "next";
import { engine } from "@/lib/engine/engine";
import { type LimitClass, limitClasses } from "@/lib/protocol/endpoints";
import { scopesPerRequestMax } from "@/lib/protocol/scope";
import { supportedVersions } from "@/lib/protocol/version";
import { Mono } from "../_parts/code";
import { Page, Section, Text } from "../_parts/page";
import { Table } from "../_parts/table";

export const metadata: Metadata = { title: "Limits and versions" };

const names: Record<LimitClass, string> = {
  profile: "Get Profile",
  access: "Request Access",
  propose: "Propose Memory",
  review: "Review Proposal",
  memories: "List Memories",
  proposals: "List Proposals",
};

export default function LimitsPage() {
  return (
    <Page
      title="Limits and versions"
      lead="How many requests an agent may send in an hour, how large each may be, and which versions exist."
    >
      <RequestsAnHour />
      <Section id="sizes" title="Sizes">
        <Table
          caption="How large a request may be"
          head={["What", "At most"]}
          rows={[
            ["A body", "64 KiB, 32 levels, no repeated member"],
            ["The Authorization header", "4 KiB"],
            ["Scopes in a request", String(scopesPerRequestMax)],
            ["A memory's content", "10,000 characters"],
            ["A page of memories", "200 records; 50 unless you ask"],
            ["A page of proposals", "200; 100 unless you ask"],
          ]}
        />
      </Section>
      <Section id="versions" title="Versions">
        <Text>
          The path names the major version: <Mono>/prof/v1</Mono>. A request may name a version in{" "}
          <Mono>PROF-Version</Mono>; without it the latest answers. This gateway has{" "}
          {supportedVersions.join(", ")}, and takes <Mono>1</Mono> for <Mono>1.0</Mono>. Any other
          is refused with PROF006, and <Mono>details.supportedVersions</Mono> lists the versions.
          Every answer names its version in <Mono>PROF-Version</Mono>.
        </Text>
      </Section>
    </Page>
  );
}

function RequestsAnHour() {
  const { env, settings } = engine();
  const values = settings.values();
  const here: Record<LimitClass, number> = {
    profile: values.LIMIT_PROFILE,
    access: values.LIMIT_ACCESS,
    propose: values.LIMIT_PROPOSE,
    review: values.LIMIT_REVIEW,
    memories: values.LIMIT_MEMORIES,
    proposals: values.LIMIT_PROPOSALS,
  };
  const classes = Object.keys(limitClasses).filter((name): name is LimitClass => name in names);
  return (
    <Section id="limits" title="Requests an hour">
      <Table
        caption="Requests an hour for each endpoint"
        head={["Endpoint", "By default", "On this gateway"]}
        rows={classes.map((name) => [names[name], String(limitClasses[name]), String(here[name])])}
      />
      <Text>
        Requests count for their caller: a signature for its DID, a connection token for its agent
        and profile. The hour is always the last 60 minutes. A request that authenticates counts,
        even if it fails later. Every answer has <Mono>X-RateLimit-Limit</Mono>,{" "}
        <Mono>X-RateLimit-Remaining</Mono> and <Mono>X-RateLimit-Reset</Mono>.
      </Text>
      <Text>
        Requests that fail to authenticate count for their network address. After {env.PEER_LIMIT}{" "}
        in a minute they get 429 instead of 401; valid credentials still pass. An agent has at most
        100 pending proposals on one profile.
      </Text>
    </Section>
  );
}
