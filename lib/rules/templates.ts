import type { Policy } from "./facts";
import { everyAgent } from "./facts";

export type PolicyDraft = Omit<Policy, "id" | "enabled">;

export type TemplateName = "balanced" | "private" | "open";

export type Template = { title: string; summary: string; policies: readonly PolicyDraft[] };

/** Protocol 5: the initial policies of a profile. No template opens a sensitive category. */
export const templates: Readonly<Record<TemplateName, Template>> = {
  balanced: {
    title: "Balanced",
    summary:
      "Every agent may propose memories outside sensitive categories. Verified agents may read preferences. Reading anything else asks you first.",
    policies: [
      draft({ allow: ["prof:*"], permissions: ["propose"] }),
      draft({ allow: ["prof:preferences"], permissions: ["read"], verifiedOnly: true }),
    ],
  },
  private: {
    title: "Private",
    summary: "No agent reads anything without asking you first, and none proposes.",
    policies: [],
  },
  open: {
    title: "Open",
    summary:
      "Every agent may read and propose outside sensitive categories. Reading those asks you first.",
    policies: [draft({ allow: ["prof:*"], permissions: ["read", "propose"] })],
  },
};

export const templateNames = Object.keys(templates) as [TemplateName, ...TemplateName[]];

export const defaultTemplate: TemplateName = "balanced";

function draft(
  rule: Pick<Policy, "allow" | "permissions"> & Partial<Pick<Policy, "verifiedOnly">>,
): PolicyDraft {
  return {
    agentPattern: everyAgent,
    verifiedOnly: false,
    deny: [],
    purposes: [],
    maxRetention: null,
    receiptSeconds: null,
    expiresAt: null,
    origin: "template",
    ...rule,
  };
}
