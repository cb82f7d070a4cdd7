/** Where one agent's page is. */
export function agentHref(did: string): string {
  return `/dashboard/agents/${encodeURIComponent(did)}`;
}
