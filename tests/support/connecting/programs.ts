// What real programs say of themselves, and where they want to be answered, as seen in public in 2026. Scopes are
// those that they were seen to ask for without being told any.

interface Program {
  name: string;
  /** At this address, or by registering. */
  document?: string;
  metadata: Record<string, unknown> & { redirect_uris: string[] };
  /** Where it wants to be answered, with the port that it found free. */
  answeredAt: string[];
  scope?: string;
}

const code = { grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] };
const bare = { ...code, token_endpoint_auth_method: "none" };

export const realPrograms: Program[] = [
  {
    name: "Claude",
    document: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    metadata: {
      ...bare,
      client_name: "Claude",
      client_uri: "https://claude.ai",
      redirect_uris: [
        "https://claude.ai/api/mcp/auth_callback",
        "https://claude.com/api/mcp/auth_callback",
      ],
    },
    answeredAt: ["https://claude.ai/api/mcp/auth_callback"],
    scope: "claudeai",
  },
  {
    name: "Claude Code",
    document: "https://claude.ai/oauth/claude-code-client-metadata",
    metadata: {
      ...bare,
      client_name: "Claude Code",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
    },
    answeredAt: ["http://localhost:3118/callback", "http://127.0.0.1:59656/callback"],
    scope: "prof:preferences propose offline_access",
  },
  {
    name: "ChatGPT",
    document: "https://chatgpt.com/oauth/client.json",
    metadata: {
      ...code,
      client_name: "ChatGPT",
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
      token_endpoint_auth_signing_alg: "RS256",
      jwks_uri: "https://chatgpt.com/oauth/jwks.json",
      redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
    },
    answeredAt: ["https://chatgpt.com/connector_platform_oauth_redirect"],
  },
  {
    name: "Codex",
    document: "https://chatgpt.com/oauth/codex/client.json",
    metadata: {
      ...bare,
      client_name: "Codex",
      redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
    },
    answeredAt: ["http://127.0.0.1:41234/callback"],
  },
  {
    name: "Cursor",
    metadata: {
      ...bare,
      client_name: "Cursor",
      redirect_uris: [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
      ],
    },
    answeredAt: ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost:8787/callback"],
    scope: "prof:preferences propose",
  },
  {
    name: "Visual Studio Code",
    document: "https://vscode.dev/oauth/client-metadata.json",
    metadata: {
      client_name: "Visual Studio Code",
      grant_types: [
        ...["authorization_code", "refresh_token"],
        "urn:ietf:params:oauth:grant-type:device_code",
      ],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
      redirect_uris: [
        ...["http://127.0.0.1:33418/", "http://127.0.0.1/"],
        "https://vscode.dev/redirect",
      ],
    },
    answeredAt: [
      ...["http://127.0.0.1:33418", "http://127.0.0.1:50505/"],
      "https://vscode.dev/redirect",
    ],
  },
  {
    name: "Goose",
    document: "https://goose-docs.ai/oauth/client-metadata.json",
    metadata: {
      ...bare,
      client_name: "Goose",
      redirect_uris: ["http://127.0.0.1/oauth_callback"],
    },
    answeredAt: ["http://127.0.0.1:45555/oauth_callback"],
  },
  {
    name: "a program with the official library",
    metadata: {
      ...bare,
      client_name: "My program",
      application_type: "native",
      redirect_uris: ["http://localhost:8090/callback"],
    },
    answeredAt: ["http://localhost:8090/callback"],
    scope: "prof:preferences propose offline_access",
  },
];
