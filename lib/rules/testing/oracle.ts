import type { Facts, Permission, Policy, Receipt } from "../facts";

export type Verdict = {
  outcome: "granted" | "denied" | "consent_required";
  /** Every policy and receipt that could be given as the reason for it. */
  grounds: Set<string>;
};

/**
 * Protocol 5 a second time, slowly: it spells out every scope that could reach a category, and tries
 * every policy with every receipt. It shares no code with what it judges.
 */
export function consult(facts: Facts, permission: Permission, category: string): Verdict {
  const words = everyScopeReaching(category);
  const reaches = (scopes: readonly string[]) => scopes.filter((scope) => words.has(scope));
  const counting: Policy[] = [];
  for (const policy of facts.policies) {
    const isOver = policy.expiresAt && policy.expiresAt.getTime() - facts.now.getTime() <= 0;
    if (policy.enabled && !isOver && namesAgent(policy.agentPattern, facts.agent.did)) {
      counting.push(policy);
    }
  }

  const deniers = counting.filter((policy) => reaches(policy.deny).length > 0);
  if (deniers.length > 0) {
    return { outcome: "denied", grounds: new Set(deniers.map((policy) => policy.id)) };
  }
  if (reaches(facts.agent.ceiling).length === 0) return { outcome: "denied", grounds: new Set() };
  if (facts.token !== null) {
    const isWithin = reaches(facts.token.scopes).length > 0;
    if (facts.token.permissions.indexOf(permission) === -1) {
      return { outcome: "denied", grounds: new Set() };
    }
    const isExtended = facts.token.ofClient === true;
    if (!isWithin && !(isExtended && permission === "propose")) {
      return { outcome: isExtended ? "consent_required" : "denied", grounds: new Set() };
    }
  }

  const grounds = new Set<string>();
  for (const policy of counting) {
    let spoken = reaches(policy.allow);
    // A template's wildcard does not speak of sensitive things.
    if (
      policy.origin === "template" &&
      /^prof:(health|financial|relationships|identity)(\.|$)/.test(category)
    ) {
      spoken = spoken.filter((scope) => scope !== "prof:*");
    }
    if (spoken.length === 0 || policy.permissions.indexOf(permission) === -1) continue;
    if (policy.verifiedOnly && !facts.agent.verified) continue;
    for (const id of groundsUnder(policy, facts, reaches)) grounds.add(id);
  }
  return { outcome: grounds.size > 0 ? "granted" : "consent_required", grounds };
}

type Reaches = (scopes: readonly string[]) => string[];

function groundsUnder(policy: Policy, facts: Facts, reaches: Reaches): string[] {
  if (policy.purposes.length === 0 && policy.maxRetention === null) return [policy.id];
  if (facts.purpose !== null) {
    const { type, retention } = facts.purpose;
    return suits(policy, type, retention ?? null) ? [policy.id] : [];
  }
  const ids: string[] = [];
  for (const receipt of facts.receipts) {
    if (!holds(receipt, policy, facts) || reaches(receipt.grantedScopes).length === 0) continue;
    ids.push(policy.id, receipt.id);
  }
  return ids;
}

const spelled = new Map<string, Set<string>>();

function everyScopeReaching(category: string): Set<string> {
  const known = spelled.get(category);
  if (known) return known;
  const words = new Set(["prof:*"]);
  spelled.set(category, words);
  if (category === "prof:*") return words;
  for (let end = 1; end <= category.length; end += 1) {
    if (end < category.length && category[end] !== ".") continue;
    words.add(category.slice(0, end)).add(`${category.slice(0, end)}.*`);
  }
  return words;
}

function holds(receipt: Receipt, policy: Policy, facts: Facts): boolean {
  const time = facts.now.getTime();
  if (receipt.agentDid !== facts.agent.did || receipt.revokedAt !== null) return false;
  if (receipt.expiresAt.getTime() <= time) return false;
  const seconds = policy.receiptSeconds;
  if (seconds !== null && receipt.grantedAt.getTime() + seconds * 1_000 <= time) return false;
  return suits(policy, receipt.purposeType, receipt.retention);
}

const days: Record<string, number> = {
  session_only: 0,
  "24h": 1,
  "7d": 7,
  "30d": 30,
  "1y": 365,
  indefinite: 1e9,
};

function suits(policy: Policy, purpose: string, retention: string | null): boolean {
  if (policy.purposes.length > 0 && policy.purposes.indexOf(purpose) === -1) return false;
  if (policy.maxRetention === null || policy.maxRetention === retention) return true;
  const requested = days[retention ?? ""];
  const most = days[policy.maxRetention];
  return requested !== undefined && most !== undefined && requested <= most;
}

const named = new Map<string, boolean>();

function namesAgent(pattern: string, did: string): boolean {
  const key = `${pattern} ${did}`;
  const answer = named.get(key) ?? isNamed(pattern, did);
  named.set(key, answer);
  return answer;
}

function isNamed(pattern: string, did: string): boolean {
  const wanted = pattern.split(":");
  const actual = did.split(":");
  if (wanted.length !== 5 || actual.length !== 5) return false;
  return wanted.every((part, index) => {
    const text = actual[index] ?? "";
    return index < 3 ? part === text : fits([...part], [...text]);
  });
}

function fits([head, ...rest]: string[], text: string[]): boolean {
  if (head === undefined) return text.length === 0;
  if (head === "*")
    return fits(rest, text) || (text.length > 0 && fits(["*", ...rest], text.slice(1)));
  return text[0] === head && fits(rest, text.slice(1));
}
