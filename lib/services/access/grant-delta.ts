/** The ids that one event ended or began, so that it can be undone exactly. */
export interface GrantDelta {
  tokens?: readonly string[];
  policies?: readonly string[];
  receipts?: readonly string[];
  requests?: readonly string[];
}

const idsMax = 1_000;

/** Bounded, because the log keeps it for good. Undo leaves the rest as it is. */
export function truncateIds({ tokens, policies, receipts, requests }: GrantDelta) {
  const cut = (ids: readonly string[] = []) => ids.slice(0, idsMax);
  return {
    tokens: cut(tokens),
    policies: cut(policies),
    receipts: cut(receipts),
    requests: cut(requests),
  };
}
