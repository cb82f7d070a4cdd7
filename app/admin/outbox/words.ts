const kinds: Record<string, string> = {
  access_request: "A request for access",
  new_agent: "A new agent",
  digest: "A digest",
  security: "A warning",
  invitation: "An invitation",
  reset: "A link for a new password",
  address: "A link to confirm an address",
  webhook_paused: "A paused webhook",
};

/** What a message is about; an event of a webhook by its own name. */
export function kindWords(kind: string): string {
  return kinds[kind] ?? kind;
}
