/** Where one agent's page is. */
export function agentHref(did: string): string {
  return `/dashboard/agents/${encodeURIComponent(did)}`;
}

/** Where everything is that an agent did. */
export function activityHref(did: string): string {
  return `/dashboard/activity?${new URLSearchParams({ who: did })}`;
}

/** Where everything is that an agent proposed. */
export function proposalsHref(did: string): string {
  return `/dashboard/proposals?${new URLSearchParams({ agent: did })}`;
}
