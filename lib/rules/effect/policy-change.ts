import type { Policy } from "../facts";
import { type TemplateName, templates } from "../templates";

/** A change of a profile's policies; a new policy has an id of its own. */
export type PolicyChange =
  | { kind: "put"; policy: Policy }
  | { kind: "remove"; policyId: string }
  | { kind: "template"; template: TemplateName };

/** The id of something that does not exist yet. */
export const draftId = "draft";

/** The policies as they would be. */
export function policiesAfter(policies: readonly Policy[], change: PolicyChange): Policy[] {
  switch (change.kind) {
    case "put":
      return policies.some(({ id }) => id === change.policy.id)
        ? policies.map((one) => (one.id === change.policy.id ? change.policy : one))
        : [...policies, change.policy];
    case "remove":
      return policies.filter(({ id }) => id !== change.policyId);
    case "template":
      return [
        ...policies.filter(({ origin }) => origin !== "template"),
        ...templates[change.template].policies.map((policy, index) => ({
          ...policy,
          id: `${draftId}_${index}`,
          enabled: true,
        })),
      ];
  }
}
