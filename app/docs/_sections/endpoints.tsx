import Link from "next/link";
import { requestEndpoints } from "@/lib/http/requests/request-endpoints";
import { webhookEndpoints } from "@/lib/http/webhooks/webhook-endpoints";
import { Memory } from "@/lib/protocol/answers/profile";
import { type Endpoint, endpoints, errorsOfAll, limitClasses } from "@/lib/protocol/endpoints";
import { errorTable } from "@/lib/protocol/errors";
import { envelope } from "@/lib/protocol/resources";
import { demoWho } from "../_examples/who";
import { Fields, Words } from "../_parts/fields";
import { Code, Mono } from "../_parts/markdown/code";
import { Text } from "../_parts/page";
import { exampleOf, fieldRows } from "../_parts/schema";
import { type GeneratedSection, headingOf, rowsText } from "./generated-section";

const credentialWords = {
  signature: "signature",
  token: "connection token",
} as const;

export function endpointSections(): GeneratedSection[] {
  const rows = fieldRows(Memory, "output");
  return [
    ...Object.values<Endpoint>(endpoints).map(endpointSection),
    ...Object.values<Endpoint>(requestEndpoints).map(endpointSection),
    ...Object.values<Endpoint>(webhookEndpoints).map(endpointSection),
    {
      id: "memory",
      title: "A memory record",
      text: rowsText(rows),
      body: <Fields title="In a record of memories" rows={rows} />,
    },
  ];
}

function endpointSection(endpoint: Endpoint): GeneratedSection {
  const { name, summary, method, path, body, data } = endpoint;
  const rows = [...(body === null ? [] : fieldRows(body, "input")), ...fieldRows(data, "output")];
  return {
    id: name,
    title: headingOf(summary),
    text: `${method} ${path}. ${summary} ${rowsText([...queryRows(endpoint), ...rows])}`,
    body: <EndpointEntry endpoint={endpoint} />,
  };
}

function EndpointEntry({ endpoint }: { endpoint: Endpoint }) {
  const { summary, method, path, credentials, params, body, data, meta } = endpoint;
  const limit = limitClasses[endpoint.limitClass];
  return (
    <>
      <p className="rounded-box border border-line bg-sunken px-3 py-2 font-mono text-[13px] [overflow-wrap:anywhere]">
        <span className="font-semibold text-ink">{method}</span> {path}
      </p>
      <Text>
        <Words>{summary}</Words> With a{" "}
        {credentials.map((credential) => credentialWords[credential]).join(" or a ")}. Up to {limit}{" "}
        requests an hour, unless this gateway sets another limit.
      </Text>
      <Fields isInput title="In the path" rows={fieldRows(params, "input")} />
      <Fields isInput title="In the query" rows={queryRows(endpoint)} />
      {body !== null && (
        <>
          <Fields isInput title="In the body" rows={fieldRows(body, "input")} />
          <Code title="A body" language="json">
            {pretty(exampleOf(body, "input"))}
          </Code>
        </>
      )}
      <Code
        language="sh"
        title={
          credentials.includes("signature")
            ? "A call, by the function of the bash example"
            : "A call"
        }
      >
        {signedCall(endpoint)}
      </Code>
      <div>
        <h3 className="mb-2 font-semibold">Answers</h3>
        <ul className="flex flex-col gap-1.5">
          {Object.entries(endpoint.statuses).map(([status, meaning]) => (
            <li key={status}>
              <Mono>{status}</Mono> <Words>{meaning}</Words>
            </li>
          ))}
        </ul>
      </div>
      <Fields title="In data" rows={fieldRows(data, "output")} />
      <Fields title="In meta, beside requestId and timestamp" rows={fieldRows(meta, "output")} />
      <Code title="An answer" language="json">
        {pretty(exampleOf(envelope(data, meta), "output"))}
      </Code>
      <Errors endpoint={endpoint} />
    </>
  );
}

// A query is text on the wire; its parsed form says what may be written there.
function queryRows({ query }: Endpoint) {
  return fieldRows(query, "output").map((row) => ({ ...row, required: false }));
}

function Errors({ endpoint }: { endpoint: Endpoint }) {
  const codes = [...endpoint.errors, ...errorsOfAll].toSorted();
  return (
    <div>
      <h3 className="mb-2 font-semibold">Errors</h3>
      <ul className="flex flex-wrap gap-2">
        {codes.map((code) => (
          <li key={code}>
            <Link
              href={`/docs/errors#${code}`}
              className="inline-flex min-h-8 items-center gap-2 rounded-box border border-line bg-surface px-2.5 text-small hover:bg-sunken"
            >
              <span className="font-mono font-medium">{code}</span>
              <span className="text-muted">
                {errorTable[code].http} {errorTable[code].meaning}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function signedCall({ method, path, body, credentials }: Endpoint): string {
  const target = path
    .replace("{did}", demoWho.owner)
    .replace("{proposalId}", "prop_8uGe2LwF5aTjC0iXo3MqSk");
  const json = body === null ? "" : JSON.stringify(exampleOf(body, "input"));
  if (!credentials.includes("signature")) {
    const send = json && ` \\\n  -H "Content-Type: application/json" --data-binary '${json}'`;
    return `curl -sS -X ${method} "$GATEWAY${target}" -H "Authorization: Bearer $TOKEN"${send}`;
  }
  return `signed ${method} ${target}${json && ` '' \\\n  '${json}'`}`;
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
