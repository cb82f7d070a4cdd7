import { mcpPath, oauthPaths } from "./metadata";

// What of OAuth and MCP is HTTP, for the OpenAPI document. Their RFCs say what each member means.

type Json = Record<string, unknown>;

const text = { type: "string" };
const list = { type: "array", items: text };

function object(properties: Record<string, Json>, required: readonly string[] = []): Json {
  return { type: "object", properties, required };
}

function json(description: string, schema: Json): Json {
  return { description, content: { "application/json": { schema } } };
}

function form(schema: Json): Json {
  return { required: true, content: { "application/x-www-form-urlencoded": { schema } } };
}

const failure = json(
  "What is wrong, as OAuth has it.",
  object({ error: text, error_description: text }),
);
const document = (summary: string, schema: Json) => ({
  get: { summary, security: [], responses: { 200: json("The document.", schema) } },
});

const resource = document(
  "Metadata of the protected resource: RFC 9728.",
  object({ resource: text, authorization_servers: list, scopes_supported: list }),
);
const server = document(
  "Metadata of the authorization server: RFC 8414.",
  object({ issuer: text, authorization_endpoint: text, token_endpoint: text }),
);

const question = {
  ...{ response_type: true, client_id: true, redirect_uri: true },
  ...{ code_challenge: true, code_challenge_method: true },
  ...{ state: false, scope: false, resource: false },
};

export const connectingPaths: Record<string, Json> = {
  [`/.well-known/oauth-protected-resource${mcpPath}`]: resource,
  "/.well-known/oauth-authorization-server": server,
  [oauthPaths.authorize]: {
    get: {
      summary: "Ask the owner to connect a client.",
      security: [],
      parameters: Object.entries(question).map(([name, required]) => {
        return { name, in: "query", required, schema: text };
      }),
      responses: {
        303: { description: "To the owner's page, or to the client with an error." },
        400: { description: "A page: the client or its address is not known." },
      },
    },
  },
  [oauthPaths.token]: {
    post: {
      summary: "Exchange a code, or a refresh token, for a pair of tokens.",
      security: [],
      requestBody: form(
        object(
          {
            ...{ grant_type: text, client_id: text, code: text, redirect_uri: text },
            ...{ code_verifier: text, refresh_token: text, resource: text },
          },
          ["grant_type", "client_id"],
        ),
      ),
      responses: {
        200: json(
          "The pair.",
          object({
            ...{ access_token: text, token_type: text, expires_in: { type: "integer" } },
            ...{ refresh_token: text, scope: text },
          }),
        ),
        400: failure,
        401: failure,
      },
    },
  },
  [oauthPaths.register]: {
    post: {
      summary: "Register a client: RFC 7591.",
      security: [],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: object({ client_name: text, redirect_uris: list }, ["redirect_uris"]),
          },
        },
      },
      responses: {
        201: json("What is in effect.", object({ client_id: text, redirect_uris: list })),
        400: failure,
      },
    },
  },
  [oauthPaths.revoke]: {
    post: {
      summary: "End the connection of a token: RFC 7009.",
      security: [],
      requestBody: form(object({ token: text, client_id: text }, ["token", "client_id"])),
      responses: { 200: { description: "It has ended, or there was none." }, 400: failure },
    },
  },
  [mcpPath]: {
    post: {
      summary: "Call the Model Context Protocol, with an access token.",
      security: [{ token: [] }],
      requestBody: { required: true, content: { "application/json": { schema: object({}) } } },
      responses: {
        200: { description: "A JSON-RPC answer, as JSON or as one event." },
        401: {
          description: "No token, or one that has ended. `WWW-Authenticate` says where to get one.",
        },
        403: { description: "`insufficient_scope`, with the scopes that the call needs." },
      },
    },
  },
};
