// The codes of RFC 6749 (4.1.2.1, 5.2), 7591 (3.2.2) and 8707 (2).
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  interaction_required: 400,
} as const;

export type OAuthCode = keyof typeof statuses;

/** What an OAuth endpoint refuses, in the words that a client's developer reads. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly status: number;
  constructor(
    readonly code: OAuthCode,
    message: string,
  ) {
    super(message);
    this.status = statuses[code];
  }
}
