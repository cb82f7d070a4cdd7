import type { Did } from "@/lib/protocol/did";
import { activityParams } from "../activity/params";

/** Where one agent's page is. */
export function agentHref(did: string): string {
  return `/dashboard/agents/${encodeURIComponent(did)}`;
}

/** Where everything is that an agent did. */
export function activityHref(who: Did): string {
  return activityParams.href({ who });
}

/** Where everything is that an agent proposed. */
export function proposalsHref(did: string): string {
  return `/dashboard/proposals?${new URLSearchParams({ agent: did })}`;
}
