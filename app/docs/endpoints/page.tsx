import type { Metadata } from "next";
import { type Endpoint, endpoints } from "@/lib/protocol/endpoints";
import { Memory } from "@/lib/protocol/resources";
import { Mono } from "../_parts/code";
import { Fields } from "../_parts/fields";
import { Page, Section, Text } from "../_parts/page";
import { fieldRows } from "../_parts/schema";
import { Table } from "../_parts/table";
import { EndpointEntry } from "./endpoint-entry";

export const metadata: Metadata = { title: "Endpoints" };

const all: readonly Endpoint[] = Object.values(endpoints);

export default function EndpointsPage() {
  return (
    <Page
      title="Endpoints"
      lead="Six endpoints make the protocol. Two more take the profile from a connection token instead of from the path."
    >
      <nav aria-label="Endpoints on this page" className="mt-6">
        <ul className="flex flex-col gap-1">
          {all.map(({ name, method, path }) => (
            <li key={name}>
              <a
                href={`#${name}`}
                className="flex flex-wrap items-baseline gap-x-2 rounded-box py-1 font-mono text-[13px] hover:text-accent"
              >
                <span className="w-10 text-muted">{method}</span>
                <span className="min-w-0 [overflow-wrap:anywhere]">{path}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Headers />
      {all.map((endpoint) => (
        <EndpointEntry key={endpoint.name} endpoint={endpoint} />
      ))}
      <Section id="memory" title="A memory record">
        <Fields title="In a record of memories" rows={fieldRows(Memory, "output")} />
      </Section>
    </Page>
  );
}

function Headers() {
  return (
    <Section id="headers" title="Headers of every request and answer">
      <Table
        code
        caption="Headers"
        head={["Header", "Where", "What"]}
        rows={[
          ["Authorization", "request", "The signature, or a connection token."],
          ["Content-Type", "request", "application/json, where there is a body."],
          [
            "PROF-Version",
            "both",
            "In a request: the version you want. In an answer: its version.",
          ],
          ["PROF-Version-Supported", "answer", "The versions that you may ask for."],
          [
            "X-Request-Id",
            "answer",
            "The id of the request; also in meta.requestId and in the log.",
          ],
          ["X-RateLimit-Limit", "answer", "How many requests an hour."],
          ["X-RateLimit-Remaining", "answer", "How many are left."],
          ["X-RateLimit-Reset", "answer", "When there will be more: Unix time in seconds."],
          ["Retry-After", "answer", "Seconds to wait; with 429 and 503."],
        ]}
      />
      <Text>
        Every answer is an object: <Mono>success</Mono>, then <Mono>data</Mono> or{" "}
        <Mono>error</Mono>, and <Mono>meta</Mono> with <Mono>requestId</Mono> and{" "}
        <Mono>timestamp</Mono>.
      </Text>
    </Section>
  );
}
