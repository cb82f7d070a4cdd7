import type { Check } from "../../check";
import { faulted, understood } from "../../expect";
import { profilePath } from "../../state";

const grammar = "Protocol 5, Grammar";

const scopes = {
  accepted: [
    ["name", "prof:preferences"],
    ["dotted", "prof:professional.preferences"],
    ["wildcard", "prof:health.*"],
    ["everything", "prof:*"],
    ["alphabet", "prof:a-z_09.b-c"],
    ["segment-64", `prof:${"s".repeat(64)}`],
    ["length-128", `prof:${"s".repeat(61)}.${"s".repeat(61)}`],
  ],
  refused: [
    ["no-prefix", "preferences"],
    ["other-prefix", "user:preferences"],
    ["upper-prefix", "PROF:preferences"],
    ["upper-case", "prof:Preferences"],
    ["empty", "prof:"],
    ["dot-first", "prof:.health"],
    ["dot-last", "prof:health."],
    ["two-dots", "prof:health..sleep"],
    ["star-inside", "prof:*.sleep"],
    ["star-attached", "prof:health*"],
    ["two-stars", "prof:**"],
    ["space", "prof:he alth"],
    ["letter", "prof:gesundheitsübung"],
    ["segment-65", `prof:${"s".repeat(65)}`],
    ["length-129", `prof:${"s".repeat(61)}.${"s".repeat(62)}`],
  ],
} as const;

const categories = {
  accepted: [
    ["name", "prof:episodic"],
    ["dotted", "prof:professional.preferences"],
  ],
  refused: [
    ["wildcard", "prof:health.*"],
    ["everything", "prof:*"],
    ["no-prefix", "episodic"],
    ["upper-case", "prof:Episodic"],
    ["empty", ""],
  ],
} as const;

export const scopesAndCategories: Check[] = [
  ...scopes.accepted.map(([id, scope]) => understoodAs("scopes", id, scope)),
  ...scopes.refused.map(([id, scope]) => refusedAs("scopes", id, scope)),
  ...categories.accepted.map(([id, category]) => understoodAs("category", id, category)),
  ...categories.refused.map(([id, category]) => refusedAs("category", id, category)),
  {
    id: "scopes.accepts.list",
    sentence: "Several scopes come separated by commas.",
    cites: "Spec, Endpoints 1. Get Profile, scopes",
    run: async (kit) => {
      const list = "prof:preferences,prof:interests,prof:professional.*";
      understood(await kit.call({ target: profilePath(kit, `?scopes=${list}`) }));
    },
  },
  {
    id: "scopes.accepts.fifty",
    sentence: "Fifty scopes are accepted.",
    cites: "Protocol 5, At most 50 scopes a request",
    run: async (kit) => {
      understood(await kit.call({ target: profilePath(kit, `?scopes=${many(50)}`) }));
    },
  },
  {
    id: "scopes.refuses.fifty-one",
    sentence: "Fifty-one scopes are 400 PROF006.",
    cites: "Protocol 5, At most 50 scopes a request",
    run: async (kit) => {
      faulted(await kit.call({ target: profilePath(kit, `?scopes=${many(51)}`) }), "scopes");
    },
  },
  {
    id: "scopes.refuses.one-of-two",
    sentence: "One invalid scope among valid ones is 400 PROF006.",
    cites: grammar,
    run: async (kit) => {
      const target = profilePath(kit, "?scopes=prof:preferences,interests");
      faulted(await kit.call({ target }), "scopes");
    },
  },
];

type Parameter = "scopes" | "category";

function understoodAs(parameter: Parameter, id: string, value: string): Check {
  return {
    id: `${parameter}.accepts.${id}`,
    sentence: `${quoted(value)} is a ${parameter === "scopes" ? "scope" : "category"}.`,
    cites: grammar,
    run: async (kit) => {
      understood(await kit.call({ target: profilePath(kit, queryOf(parameter, value)) }));
    },
  };
}

function refusedAs(parameter: Parameter, id: string, value: string): Check {
  return {
    id: `${parameter}.refuses.${id}`,
    sentence: `As ${parameter} ${quoted(value)} is 400 PROF006.`,
    cites: grammar,
    run: async (kit) => {
      faulted(await kit.call({ target: profilePath(kit, queryOf(parameter, value)) }), parameter);
    },
  };
}

function queryOf(parameter: Parameter, value: string): string {
  const query = `?${parameter}=${encodeURIComponent(value)}`;
  return parameter === "category" ? `/memories${query}` : query;
}

function quoted(value: string): string {
  return value.length > 40 ? `one of ${value.length} characters` : `"${value}"`;
}

function many(count: number): string {
  return Array.from({ length: count }, (_, index) => `prof:preferences.p${index}`).join(",");
}
