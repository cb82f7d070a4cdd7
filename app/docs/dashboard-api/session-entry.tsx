import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import { envelope } from "@/lib/protocol/resources";
import { Code } from "../_parts/code";
import { Fields } from "../_parts/fields";
import { Section } from "../_parts/page";
import { exampleOf, fieldRows } from "../_parts/schema";

export function SessionEntry({ name, endpoint }: { name: string; endpoint: ApiEndpoint }) {
  const { summary, method, path, params, query, body, data, meta } = endpoint;
  const input = fieldRows(query, "output").map((row) => ({ ...row, required: false }));
  return (
    <Section id={name} title={summary}>
      <p className="rounded-box border border-line bg-sunken px-3 py-2 font-mono text-[13px] [overflow-wrap:anywhere]">
        <span className="font-semibold text-accent-strong">{method}</span> {path}
      </p>
      <Fields isInput title="In the path" rows={fieldRows(params, "input")} />
      <Fields isInput title="In the query" rows={input} />
      {body !== null && <Fields isInput title="In the body" rows={fieldRows(body, "input")} />}
      <Code title="A call">{callOf(endpoint)}</Code>
      <Fields title="In data" rows={fieldRows(data, "output")} />
      <Fields title="In meta, beside requestId and timestamp" rows={fieldRows(meta, "output")} />
      <Code title={`An answer, with status ${endpoint.status}`}>
        {JSON.stringify(exampleOf(envelope(data, meta), "output"), null, 2)}
      </Code>
    </Section>
  );
}

function callOf({ method, path, params, body }: ApiEndpoint): string {
  const examples = Object.entries(params.shape).map(
    ([name, schema]) => [name, String(exampleOf(schema, "input"))] as const,
  );
  const target = examples.reduce(
    (so, [name, example]) => so.replace(`{${name}}`, name === "did" ? "$DID" : example),
    path as string,
  );
  const change = method === "GET" ? "" : ` -X ${method} \\\n  -H "Content-Type: application/json"`;
  const json =
    body === null ? "" : ` \\\n  --data-binary '${JSON.stringify(exampleOf(body, "input"))}'`;
  return `curl -sS -b jar "$GATEWAY${target}"${change}${json}`;
}
