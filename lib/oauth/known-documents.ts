import type { ClientMetadata } from "./client-metadata";

// Three documents that their makers do not answer a data centre, as they were in November 2026. A copy counts for
// exactly its address, and only where that could not be read. Another program that gives it as its own gets no code: the
// answer goes to the maker's site, or stays on the owner's machine.
const loopback = ["http://localhost/callback", "http://127.0.0.1/callback"];

const copies: Record<string, ClientMetadata> = {
  "https://claude.ai/oauth/mcp-oauth-client-metadata": {
    name: "Claude",
    redirectUris: [
      "https://claude.ai/api/mcp/auth_callback",
      "https://claude.com/api/mcp/auth_callback",
    ],
  },
  "https://claude.ai/oauth/claude-code-client-metadata": {
    name: "Claude Code",
    redirectUris: loopback,
  },
  "https://chatgpt.com/oauth/client.json": {
    name: "ChatGPT",
    redirectUris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
  },
};

export function knownDocument(id: string): ClientMetadata | null {
  return Object.hasOwn(copies, id) ? (copies[id] ?? null) : null;
}
