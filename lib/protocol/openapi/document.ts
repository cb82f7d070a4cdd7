import { z } from "zod";
import { MemoriesByCategory, Memory, Profile } from "../answers/profile";
import { Did } from "../did";
import {
  type Endpoint,
  endpoints,
  errorsOfAll,
  limitClasses,
  limitWindowSeconds,
} from "../endpoints";
import {
  consentRequired,
  errorTable,
  forbidden,
  type GatewayError,
  internal,
  invalidRequest,
  nonceReused,
  notFound,
  rateLimited,
  timestampInvalid,
  unauthorized,
  unavailable,
} from "../errors";
import { AccessRequest, Empty, ProposalRequest, ReviewRequest } from "../requests";
import {
  AccessReceipt,
  ErrorBody,
  envelope,
  MemoryProposal,
  Meta,
  ProposedMemory,
  Purpose,
  ReviewedProposal,
} from "../resources";
import { Category, Scope } from "../scope";
import { latestVersion } from "../version";
import {
  headers,
  preferParameter,
  refusalHeaders,
  securitySchemes,
  versionParameter,
} from "./common";

type Json = Record<string, unknown>;
type Beyond = { endpoints?: readonly Endpoint[]; paths?: Json };

/** The table of endpoints as an OpenAPI 3.1 document. */
export function openApiDocument(serverUrl: string, beyond: Beyond = {}): Json {
  const all = [...Object.values<Endpoint>(endpoints), ...(beyond.endpoints ?? [])];
  return {
    openapi: "3.1.1",
    info: {
      title: "Profile Access Gateway",
      version: latestVersion,
      summary:
        "Agents read profiles as far as policies let them, ask for access, propose memories.",
    },
    servers: [{ url: serverUrl }],
    paths: { ...paths(all), ...beyond.paths },
    components: {
      schemas: schemas(all),
      securitySchemes,
      headers: { ...headers, ...refusalHeaders },
      parameters: { version: versionParameter, prefer: preferParameter },
    },
  };
}

const named = {
  AccessReceipt,
  AccessRequest,
  Category,
  Did,
  ErrorBody,
  MemoriesByCategory,
  Memory,
  MemoryProposal,
  Meta,
  Profile,
  ProposalRequest,
  ProposedMemory,
  Purpose,
  ReviewedProposal,
  ReviewRequest,
  Scope,
};

const now = new Date("2030-01-31T12:00:00.000Z");
const exampleMeta = { requestId: "req_2bNf6WkZ9rDxV4eUy7GsHt", timestamp: now.toISOString() };
const refusals = [
  unauthorized(),
  forbidden(),
  notFound("profile"),
  consentRequired({ scopes: ["prof:health.*"], state: "ask" }),
  rateLimited({ limit: 100, resetAt: new Date("2030-01-31T12:10:00.000Z"), now }),
  invalidRequest([{ path: "query.limit", message: "Must be a whole number." }]),
  timestampInvalid(now),
  nonceReused(),
  internal(null),
  unavailable(null, 5),
];

function paths(all: readonly Endpoint[]): Json {
  const byPath: Record<string, Json> = {};
  for (const endpoint of all) {
    byPath[endpoint.path] = {
      ...byPath[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(endpoint),
    };
  }
  return byPath;
}

function operation(endpoint: Endpoint): Json {
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    security: endpoint.credentials.map((scheme) => ({ [scheme]: [] })),
    parameters: [
      ...parameters(endpoint.params, { in: "path", required: true }),
      ...parameters(endpoint.query, { in: "query", style: "form", explode: false }),
      { $ref: "#/components/parameters/version" },
      ...(endpoint.waits ? [{ $ref: "#/components/parameters/prefer" }] : []),
    ],
    ...(endpoint.body && { requestBody: { required: true, content: bodyOf(endpoint.body) } }),
    responses: { ...successes(endpoint), ...failures(endpoint) },
    "x-rate-limit": {
      limit: limitClasses[endpoint.limitClass],
      windowSeconds: limitWindowSeconds,
    },
  };
}

// A query is text on the wire; the schema after parsing describes it.
function parameters(schema: z.ZodObject, place: Json): Json[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: "output" });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema }: Json = typeof property === "object" ? property : {};
    return { name, ...place, description, schema };
  });
}

function successes(endpoint: Endpoint): Json {
  return Object.fromEntries(
    Object.entries(endpoint.statuses).map(([status, description]) => [
      status,
      {
        description,
        headers: headerRefs(Object.keys(headers)),
        content: contentOf(endpoint, Number(status)),
      },
    ]),
  );
}

function contentOf(endpoint: Endpoint, status: number) {
  if (status === 202 && endpoint.waits) return jsonOf(waitingName(endpoint));
  return jsonOf(status < 400 ? answerName(endpoint) : "ErrorBody");
}

function failures(endpoint: Endpoint): Json {
  const codes = [...errorsOfAll, ...endpoint.errors];
  const possible = refusals.filter(({ code }) => codes.includes(code));
  return Object.fromEntries(
    possible.map(({ http }) => [
      http,
      failure(possible.filter((refusal) => refusal.http === http)),
    ]),
  );
}

function failure(alternatives: readonly GatewayError[]): Json {
  const { schema } = jsonOf("ErrorBody")["application/json"];
  const own = alternatives.flatMap((refusal) => Object.keys(refusal.headers));
  const examples = alternatives.map(({ code, message, details }) => [
    code,
    { value: { success: false, error: { code, message, details }, meta: exampleMeta } },
  ]);
  return {
    description: alternatives.map(({ code }) => `${code} ${errorTable[code].meaning}`).join("; "),
    headers: headerRefs([...Object.keys(headers), ...own]),
    content: { "application/json": { schema, examples: Object.fromEntries(examples) } },
  };
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function schemas(all: readonly Endpoint[]): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  for (const endpoint of all) {
    registry.add(envelope(endpoint.data, endpoint.meta), { id: answerName(endpoint) });
    if (endpoint.waits)
      registry.add(envelope(endpoint.waits, Empty), { id: waitingName(endpoint) });
  }
  const generated = z.toJSONSchema(registry, {
    io: "input",
    uri: schemaUri,
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern; // a screenful
    },
  });
  return Object.fromEntries(
    Object.entries(generated.schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema]),
  );
}

function bodyOf(body: z.ZodType) {
  const [name] = Object.entries(named).find(([, schema]) => schema === body) ?? [];
  if (name !== undefined) return jsonOf(name);
  return { "application/json": { schema: z.toJSONSchema(body, { io: "input" }) } };
}

function jsonOf(id: string) {
  return { "application/json": { schema: { $ref: schemaUri(id) } } };
}

function schemaUri(id: string): string {
  return `#/components/schemas/${id}`;
}

function answerName(endpoint: Endpoint): string {
  return `${endpoint.name}Answer`;
}

function waitingName(endpoint: Endpoint): string {
  return `${endpoint.name}Waiting`;
}
