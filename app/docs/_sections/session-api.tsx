import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import { envelope } from "@/lib/protocol/resources";
import { Fields, Words } from "../_parts/fields";
import { Code } from "../_parts/markdown/code";
import { Text } from "../_parts/page";
import { exampleOf, fieldRows } from "../_parts/schema";
import { type GeneratedSection, headingOf, rowsText } from "./generated-section";

export function sessionSections(endpoints: Record<string, ApiEndpoint>): GeneratedSection[] {
  return Object.entries(endpoints).map(([id, endpoint]) => {
    const { summary, method, path, body, data } = endpoint;
    const rows = [...(body === null ? [] : fieldRows(body, "input")), ...fieldRows(data, "output")];
    return {
      id,
      title: headingOf(summary),
      text: `${method} ${path}. ${summary} ${rowsText(rows)}`,
      body: <SessionEntry endpoint={endpoint} />,
    };
  });
}

function SessionEntry({ endpoint }: { endpoint: ApiEndpoint }) {
  const { summary, method, path, params, query, body, data, meta } = endpoint;
  const input = fieldRows(query, "output").map((row) => ({ ...row, required: false }));
  return (
    <>
      <p className="rounded-box border border-line bg-sunken px-3 py-2 font-mono text-[13px] [overflow-wrap:anywhere]">
        <span className="font-semibold text-ink">{method}</span> {path}
      </p>
      <Text>
        <Words>{summary}</Words>
      </Text>
      <Fields isInput title="In the path" rows={fieldRows(params, "input")} />
      <Fields isInput title="In the query" rows={input} />
      {body !== null && <Fields isInput title="In the body" rows={fieldRows(body, "input")} />}
      <Code title="A call" language="sh">
        {callOf(endpoint)}
      </Code>
      <Fields title="In data" rows={fieldRows(data, "output")} />
      <Fields title="In meta, beside requestId and timestamp" rows={fieldRows(meta, "output")} />
      <Code title={`An answer, with status ${endpoint.status}`} language="json">
        {JSON.stringify(exampleOf(envelope(data, meta), "output"), null, 2)}
      </Code>
    </>
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
