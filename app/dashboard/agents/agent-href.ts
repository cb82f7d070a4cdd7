import { param, searchParams } from "@/lib/http/session/address/search-params";
import { idOf } from "@/lib/http/session/form-fields";
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

/** Where the webhook of an agent is set, for the person who runs it. */
export function webhookAddress(did: string) {
  return searchParams(`${agentHref(did)}/webhook`, { after: param(idOf("msg", "a message")) });
}
