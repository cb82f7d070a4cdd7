import { z } from "zod";
import { param, searchParams } from "@/lib/http/session/address/search-params";
import { listed } from "../_parts/admin-list";

export const agentsAddress = searchParams("/admin/agents", {
  ...listed,
  state: param(z.enum(["pending", "active", "suspended"])),
});

export const stateWords = {
  pending: "Waits for approval",
  active: "Active",
  suspended: "Suspended",
} as const;

export function agentHref(did: string): string {
  return `${agentsAddress.path}/${encodeURIComponent(did)}`;
}
