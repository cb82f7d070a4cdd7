import fc from "fast-check";
import type { Facts, Permission, Policy, Receipt } from "../facts";
import { iris, now, secondsFromNow } from "./samples";

/** Few and related, so that random rules meet. */
export const categories = [
  "prof:health",
  "prof:health.allergies",
  "prof:health.allergies.food",
  "prof:healthy",
  "prof:preferences",
  "prof:preferences.language",
  "prof:preferences.travel.seat",
  "prof:episodic",
];
export const scopes = [
  ...categories,
  "prof:*",
  "prof:*",
  "prof:health.*",
  "prof:health.allergies.*",
  "prof:preferences.*",
  // Not scopes at all: they reach nothing.
  "health",
  "prof:",
  "prof:preferences.*.*",
];

const permissions = fc.constantFrom<Permission[]>(
  ["read", "propose"],
  ["read", "propose"],
  ["read"],
  ["propose"],
  [],
);
const purposes = ["personalization", "analysis", "a_word_of_theirs"];
const retentions = [null, "session_only", "24h", "30d", "indefinite", "forever"];
const patterns = [
  "did:prof:agent:*:*",
  "did:prof:agent:*:*",
  "did:prof:agent:local:*",
  iris,
  iris,
  "did:prof:agent:local:i*s",
  "did:prof:agent:l*c*l:*iris*",
  "did:prof:agent:local:other",
  "did:prof:agent:*:ir",
  "did:prof:agent:*",
  "did:prof:user:*:*",
  "(",
];
const times = [secondsFromNow(-1), now, secondsFromNow(1), secondsFromNow(3_600)];

export const randomScope = fc.constantFrom(...scopes.slice(0, -3));

const policy = fc.record<Omit<Policy, "id">>({
  agentPattern: fc.constantFrom(...patterns),
  verifiedOnly: rarely(true, false),
  allow: fc.array(fc.constantFrom(...scopes), { minLength: 1, maxLength: 3 }),
  deny: rarelyFrom(some(scopes), []),
  permissions,
  purposes: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, some(purposes)),
  maxRetention: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    fc.constantFrom(...retentions),
  ),
  receiptSeconds: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    fc.constantFrom(1, 60, 7_200),
  ),
  enabled: rarely(false, true),
  expiresAt: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.constantFrom(...times)),
  origin: fc.constantFrom("owner", "template", "consent", "token"),
});

const receipt = fc.record<Omit<Receipt, "id">>({
  agentDid: rarely("did:prof:agent:local:other", iris),
  grantedScopes: fc.oneof(some(scopes), fc.constant(["prof:*"])),
  purposeType: fc.constantFrom(...purposes),
  retention: fc.constantFrom(...retentions),
  grantedAt: fc.constantFrom(secondsFromNow(0), secondsFromNow(-60), secondsFromNow(-7_199)),
  expiresAt: fc.constantFrom(...times),
  revokedAt: rarely(secondsFromNow(-5), null),
});

export const randomFacts: fc.Arbitrary<Facts> = fc.record({
  agent: fc.record({
    did: fc.constant(iris),
    verified: fc.boolean(),
    ceiling: rarelyFrom(some(scopes), ["prof:*"]),
  }),
  policies: fc
    .array(policy, { minLength: 1, maxLength: 5 })
    .map((list) => list.map((one, index) => ({ id: `pol_${index}`, ...one }))),
  receipts: fc
    .array(receipt, { maxLength: 3 })
    .map((list) => list.map((one, index) => ({ id: `rcpt_${index}`, ...one }))),
  token: rarelyFrom(fc.record({ scopes: some(scopes), permissions, ofClient: fc.boolean() }), null),
  purpose: rarelyFrom(
    fc.record({
      type: fc.constantFrom(...purposes),
      retention: fc.constantFrom(...retentions.map((word) => word ?? undefined)),
    }),
    null,
  ),
  now: fc.constant(now),
});

function some<T>(list: readonly T[]) {
  return fc.array(fc.constantFrom(...list), { minLength: 1, maxLength: 2 });
}

function rarely<T>(seldom: T, mostly: T) {
  return rarelyFrom(fc.constant(seldom), mostly);
}

function rarelyFrom<T, U>(seldom: fc.Arbitrary<T>, mostly: U) {
  return fc.oneof({ weight: 1, arbitrary: seldom }, { weight: 6, arbitrary: fc.constant(mostly) });
}
