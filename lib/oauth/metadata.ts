import { listedScopes, listedScopesOfServer } from "./scopes";

// The two documents by which a client that knows only the address finds the rest: RFC 9728 and RFC 8414.
// Everything that they name is there.

export const mcpPath = "/mcp";

export const oauthPaths = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
} as const;

/** The audience of a connection's tokens. */
export function resourceOf(issuer: string): string {
  return issuer + mcpPath;
}

export function resourceMetadataUrl(issuer: string): string {
  return `${issuer}/.well-known/oauth-protected-resource${mcpPath}`;
}

export function resourceMetadata(issuer: string) {
  return {
    resource: resourceOf(issuer),
    authorization_servers: [issuer],
    scopes_supported: listedScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Profile Access Gateway",
  };
}

export function serverMetadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: issuer + oauthPaths.authorize,
    token_endpoint: issuer + oauthPaths.token,
    registration_endpoint: issuer + oauthPaths.register,
    revocation_endpoint: issuer + oauthPaths.revoke,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    scopes_supported: listedScopesOfServer,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Whether a `resource` parameter names ours: the same address, but for the case of its host and one last slash. */
export function isOwnResource(resource: string | undefined, issuer: string): boolean {
  if (resource === undefined) return true;
  if (!URL.canParse(resource) || resource.includes("#")) return false;
  const { origin, pathname, search, username, password } = new URL(resource);
  const path = pathname.replace(/\/$/, "");
  // Some clients name the gateway instead of its entry point.
  const isPath = path === mcpPath || path === "";
  return origin === issuer && isPath && search === "" && username + password === "";
}
