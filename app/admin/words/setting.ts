import type { Option } from "../../_components/forms/fields/options";

interface Words {
  title: string;
  hint?: string;
  /** Where only these will do. */
  choices?: Option[];
}

const words = {
  AGENT_REGISTRATION: {
    title: "Agents that register themselves",
    hint: "Users register agents under the same rule; admins always may. A program that an owner connects is that owner's alone and needs no approval; “Refused” keeps new ones out.",
    choices: [
      ["open", "Active at once"],
      ["approval", "Wait for an admin"],
      ["closed", "Refused"],
    ],
  },
  SIGN_UP: {
    title: "New accounts",
    hint: "An invitation works either way.",
    choices: [
      ["open", "Anybody may make one"],
      ["invitation", "By an admin's invitation only"],
    ],
  },
  PROF_NAMESPACE: {
    title: "Namespace of new profiles",
    hint: "The part of a new DID before the handle. Profiles that exist keep theirs.",
  },
  ACCESS_EVENTS_DAYS: {
    title: "Days that access events are kept",
    hint: "Older ones are dropped from every log for good, once a day; each log says so. At least 30.",
  },
  LIMIT_PROFILE: { title: "Reading a profile" },
  LIMIT_ACCESS: { title: "Asking for access" },
  LIMIT_PROPOSE: { title: "Proposing" },
  LIMIT_REVIEW: { title: "Reviewing" },
  LIMIT_MEMORIES: { title: "Listing memories" },
  LIMIT_PROPOSALS: { title: "Listing proposals" },
  LIMIT_SESSION: {
    title: "Scripts of owners",
    hint: "Forms and scripts, by user; pages count apart, up to the same limit.",
  },
  LIMIT_REGISTER: { title: "Registering an agent", hint: "By network address." },
} satisfies Record<string, Words>;

type Name = keyof typeof words;

export const settingWords: Record<Name, Words> = words;

const names = Object.keys(words) as Name[];
const limits = names.filter((name) => name.startsWith("LIMIT_"));

export const settingGroups: { title: string; names: Name[] }[] = [
  { title: "Who comes in", names: ["AGENT_REGISTRATION", "SIGN_UP", "PROF_NAMESPACE"] },
  { title: "What is kept", names: ["ACCESS_EVENTS_DAYS"] },
  { title: "Requests an hour, by caller", names: limits },
];

/** Returns a value as its choice is called; null is what the configuration says. */
export function valueWords(name: Name, value: string | null): string {
  if (value === null) return "as the configuration says";
  return settingWords[name].choices?.find(([one]) => one === value)?.[1] ?? value;
}

/** Classes whose limit no admin sets. */
const unsetTitles = new Map([
  ["view", "Opening pages"],
  ["authorize", "Questions of programs"],
  ["document", "Reading programs' documents"],
  ["register-page", "Registering from web pages"],
]);

/** Returns the title of a class of requests. */
export function classTitle(name: string): string {
  const own = unsetTitles.get(name);
  if (own !== undefined) return own;
  const limit = limits.find((one) => one === `LIMIT_${name.toUpperCase()}`);
  return limit === undefined ? name : settingWords[limit].title;
}
