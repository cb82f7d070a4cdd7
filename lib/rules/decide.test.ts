import { describe } from "vitest";
import type { Permission } from "./facts";
import { type Case, table } from "./testing/matrix";
import { factsOf, iris, now, policyOf, receiptOf, secondsFromNow } from "./testing/samples";

const readsAll = policyOf({ id: "pol_all", allow: ["prof:*"] });
const readsPreferences = policyOf({ id: "pol_preferences", allow: ["prof:preferences"] });
const deniesHealth = policyOf({ id: "pol_health", deny: ["prof:health"], permissions: [] });

describe("nothing matched: consent is required", () => {
  table([
    ["no policies", factsOf(), "read prof:preferences", "consent_required by no_allow"],
    [
      "another category is allowed",
      factsOf({ policies: [readsPreferences] }),
      "read prof:interests",
      "consent_required by no_allow",
    ],
    [
      "only a child is allowed",
      factsOf({ policies: [policyOf({ allow: ["prof:health.allergies"] })] }),
      "read prof:health",
      "consent_required by no_allow",
    ],
    [
      "a name that only begins alike is allowed",
      factsOf({ policies: [policyOf({ allow: ["prof:health"] })] }),
      "read prof:healthcare",
      "consent_required by no_allow",
    ],
    [
      "reading is allowed, proposing is asked",
      factsOf({ policies: [readsPreferences] }),
      "propose prof:preferences",
      "consent_required by no_allow",
    ],
    [
      "no permission at all",
      factsOf({ policies: [policyOf({ allow: ["prof:*"], permissions: [] })] }),
      "read prof:preferences",
      "consent_required by no_allow",
    ],
    [
      "what is no scope reaches nothing",
      factsOf({ policies: [policyOf({ allow: ["preferences", "prof:", "", "*"] })] }),
      "read prof:preferences",
      "consent_required by no_allow",
    ],
  ]);
});

describe("only enabled, unexpired policies whose pattern matches the agent count", () => {
  const over = policyOf({ deny: ["prof:*"], expiresAt: now });
  const cases: [string, Parameters<typeof policyOf>[0], Case[3]][] = [
    ["exact DID", { agentPattern: iris }, "granted by allow"],
    ["glob", { agentPattern: "did:prof:agent:local:i*" }, "granted by allow"],
    ["another DID", { agentPattern: `${iris}2` }, "consent_required by no_allow"],
    ["no pattern", { agentPattern: "*" }, "consent_required by no_allow"],
    ["disabled", { enabled: false }, "consent_required by no_allow"],
    ["expired this instant", { expiresAt: now }, "consent_required by no_allow"],
    ["a second to live", { expiresAt: secondsFromNow(1) }, "granted by allow"],
  ];
  table(
    cases.map(([title, parts, expected]) => [
      title,
      factsOf({ policies: [policyOf({ allow: ["prof:*"], ...parts })] }),
      "read prof:preferences",
      expected,
    ]),
  );
  table([
    [
      "an expired deny is no deny",
      factsOf({ policies: [over, readsAll] }),
      "read prof:preferences",
      "granted by allow",
    ],
    [
      "a disabled deny is no deny",
      factsOf({ policies: [policyOf({ deny: ["prof:*"], enabled: false }), readsAll] }),
      "read prof:preferences",
      "granted by allow",
    ],
    [
      "a deny for others is no deny",
      factsOf({
        policies: [policyOf({ deny: ["prof:*"], agentPattern: "did:prof:agent:x:*" }), readsAll],
      }),
      "read prof:preferences",
      "granted by allow",
    ],
  ]);
});

describe("any matching deny wins over every allow, in any policy", () => {
  const both = factsOf({ policies: [readsAll, deniesHealth] });
  table([
    ["the wildcard does not carry it along", both, "read prof:health", "denied by deny"],
    ["nor what lies below", both, "read prof:health.allergies", "denied by deny"],
    ["the rest stays granted", both, "read prof:healthcare", "granted by allow"],
    [
      "whichever comes first",
      factsOf({ policies: [deniesHealth, readsAll] }),
      "read prof:health",
      "denied by deny",
    ],
    [
      "over an allow that names it, in the same policy",
      factsOf({ policies: [policyOf({ allow: ["prof:health.x"], deny: ["prof:health.*"] })] }),
      "read prof:health.x",
      "denied by deny",
    ],
    [
      "a denied child is cut out of a granted parent",
      factsOf({ policies: [policyOf({ allow: ["prof:health"], deny: ["prof:health.x"] })] }),
      "read prof:health.x",
      "denied by deny",
    ],
    [
      "and the parent stays",
      factsOf({ policies: [policyOf({ allow: ["prof:health"], deny: ["prof:health.x"] })] }),
      "read prof:health",
      "granted by allow",
    ],
    ["reading and proposing alike", both, "propose prof:health", "denied by deny"],
    [
      "over consent and under a receipt",
      factsOf({
        policies: [policyOf({ allow: ["prof:health"], origin: "consent" }), deniesHealth],
        receipts: [receiptOf()],
      }),
      "read prof:health",
      "denied by deny",
    ],
    [
      "whatever conditions its own policy has for allowing",
      factsOf({
        policies: [
          readsAll,
          policyOf({
            deny: ["prof:health"],
            verifiedOnly: true,
            purposes: ["x"],
            maxRetention: "?",
          }),
        ],
      }),
      "read prof:health",
      "denied by deny",
    ],
  ]);
});

describe("a policy for verified agents allows no other", () => {
  const policies = [policyOf({ allow: ["prof:preferences"], verifiedOnly: true })];
  table([
    [
      "unverified",
      factsOf({ policies }),
      "read prof:preferences",
      "consent_required by needs_verification",
    ],
    [
      "verified",
      factsOf({ policies, agent: { verified: true } }),
      "read prof:preferences",
      "granted by allow",
    ],
  ]);
});

describe("an admin's ceiling caps what any policy gives", () => {
  const capped = (ceiling: string[]) => factsOf({ policies: [readsAll], agent: { ceiling } });
  table([
    ["within", capped(["prof:health", "prof:x"]), "read prof:health.y", "granted by allow"],
    ["outside", capped(["prof:health"]), "read prof:preferences", "denied by ceiling"],
    ["above", capped(["prof:health.y"]), "read prof:health", "denied by ceiling"],
    ["no ceiling set", capped([]), "read prof:preferences", "denied by ceiling"],
    ["proposing too", capped(["prof:health"]), "propose prof:preferences", "denied by ceiling"],
  ]);
});

describe("a token lets through what both it and the policies give", () => {
  const through = (scopes: string[], permissions: Permission[] = ["read"]) =>
    factsOf({ policies: [readsPreferences], token: { scopes, permissions } });
  table([
    ["both give it", through(["prof:*"]), "read prof:preferences", "granted by allow"],
    ["only the token", through(["prof:*"]), "read prof:health", "consent_required by no_allow"],
    [
      "only the policy",
      through(["prof:health"]),
      "read prof:preferences",
      "denied by token_scopes",
    ],
    [
      "a narrower token",
      through(["prof:preferences.language"]),
      "read prof:preferences.language",
      "granted by allow",
    ],
    [
      "without the permission",
      through(["prof:*"], ["propose"]),
      "read prof:preferences",
      "denied by token_permissions",
    ],
  ]);
});

describe("a template's wildcard stops short of sensitive categories, an owner's does not", () => {
  const wildcard = (origin: "template" | "owner" | "consent" | "token") =>
    factsOf({ policies: [policyOf({ allow: ["prof:*"], origin })] });
  table([
    ["template", wildcard("template"), "read prof:health", "consent_required by no_allow"],
    ["below", wildcard("template"), "read prof:identity.name", "consent_required by no_allow"],
    ["a like name", wildcard("template"), "read prof:healthcare", "granted by allow"],
    ["owner", wildcard("owner"), "read prof:health", "granted by allow"],
    ["consent", wildcard("consent"), "read prof:financial", "granted by allow"],
    ["token", wildcard("token"), "read prof:relationships", "granted by allow"],
  ]);
});
