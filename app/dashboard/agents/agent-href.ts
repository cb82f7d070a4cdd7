import { lookAddress } from "../access/schemas";

/** Where one agent's page is. */
export function agentHref(did: string): string {
  return `/dashboard/agents/${encodeURIComponent(did)}`;
}

/** Where everything is that an agent did. */
export function activityHref(did: string): string {
  return `/dashboard/activity?${new URLSearchParams({ who: did })}`;
}

/** Where all is that an agent gets of a category. */
export function seesAddress(did: string) {
  return lookAddress(`${agentHref(did)}/sees`);
}
