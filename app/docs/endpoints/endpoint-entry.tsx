import Link from "next/link";
import { type Endpoint, errorsOfAll, limitClasses } from "@/lib/protocol/endpoints";
import { errorTable } from "@/lib/protocol/errors";
import { envelope } from "@/lib/protocol/resources";
import { demoWho } from "../_examples/who";
import { Code, Mono } from "../_parts/code";
import { Fields } from "../_parts/fields";
import { Section, Text } from "../_parts/page";
import { exampleOf, fieldRows } from "../_parts/schema";

const credentialWords = {
  signature: "signature",
  token: "connection token",
} as const;

export function EndpointEntry({ endpoint }: { endpoint: Endpoint }) {
  const { name, summary, method, path, credentials, params, body, data, meta } = endpoint;
  const limit = limitClasses[endpoint.limitClass];
  return (
    <Section id={name} title={summary}>
      <p className="rounded-box border border-line bg-sunken px-3 py-2 font-mono text-[13px] [overflow-wrap:anywhere]">
        <span className="font-semibold text-accent-strong">{method}</span> {path}
      </p>
      <Text>
        With a {credentials.map((credential) => credentialWords[credential]).join(" or a ")}. Up to{" "}
        {limit} requests an hour, unless this gateway sets another limit.
      </Text>
      <Fields isInput title="In the path" rows={fieldRows(params, "input")} />
      <Fields isInput title="In the query" rows={queryRows(endpoint)} />
      {body !== null && (
        <>
          <Fields isInput title="In the body" rows={fieldRows(body, "input")} />
          <Code title="A body">{pretty(exampleOf(body, "input"))}</Code>
        </>
      )}
      <Code
        title={
          credentials.includes("signature") ? "A call, with `signed` of the bash example" : "A call"
        }
      >
        {signedCall(endpoint)}
      </Code>
      <div>
        <h3 className="mb-2 font-semibold">Answers</h3>
        <ul className="flex flex-col gap-1.5">
          {Object.entries(endpoint.statuses).map(([status, meaning]) => (
            <li key={status}>
              <Mono>{status}</Mono> {meaning}
            </li>
          ))}
        </ul>
      </div>
      <Fields title="In data" rows={fieldRows(data, "output")} />
      <Fields title="In meta, beside requestId and timestamp" rows={fieldRows(meta, "output")} />
      <Code title="An answer">{pretty(exampleOf(envelope(data, meta), "output"))}</Code>
      <Errors endpoint={endpoint} />
    </Section>
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
              className="inline-flex min-h-8 items-center gap-2 rounded-box border border-line bg-surface px-2.5 text-xs hover:bg-sunken"
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
