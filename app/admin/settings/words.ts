import type { SettingName } from "@/lib/engine/env";

interface Words {
  title: string;
  hint: string;
  /** Where only these will do. */
  choices?: { value: string; title: string }[];
}

/** A value as its choice is called; null is what the configuration says. */
export function valueWords(name: SettingName, value: string | null): string {
  if (value === null) return "as the configuration says";
  return settingWords[name].choices?.find((one) => one.value === value)?.title ?? value;
}

export const settingWords: Record<SettingName, Words> = {
  AGENT_REGISTRATION: {
    title: "Agents that register themselves",
    hint: "Users register agents under the same rule; admins always may.",
    choices: [
      { value: "open", title: "Active at once" },
      { value: "approval", title: "Wait for an admin" },
      { value: "closed", title: "Refused" },
    ],
  },
  SIGN_UP: {
    title: "New accounts",
    hint: "An invitation works either way.",
    choices: [
      { value: "open", title: "Anybody may make one" },
      { value: "invitation", title: "By an admin's invitation only" },
    ],
  },
  PROF_NAMESPACE: {
    title: "Namespace of new profiles",
    hint: "What stands before the handle in a new DID. Profiles that exist keep theirs.",
  },
  ACCESS_EVENTS_DAYS: {
    title: "Days that access events are kept",
    hint: "Older ones are dropped from every log for good, once a day; each log says so. At least 30.",
  },
  LIMIT_PROFILE: { title: "Reading a profile", hint: "Requests an hour and caller." },
  LIMIT_ACCESS: { title: "Asking for access", hint: "Requests an hour and caller." },
  LIMIT_PROPOSE: { title: "Proposing", hint: "Requests an hour and caller." },
  LIMIT_REVIEW: { title: "Reviewing", hint: "Requests an hour and caller." },
  LIMIT_MEMORIES: { title: "Listing memories", hint: "Requests an hour and caller." },
  LIMIT_PROPOSALS: { title: "Listing proposals", hint: "Requests an hour and caller." },
  LIMIT_SESSION: {
    title: "Scripts of owners",
    hint: "Requests of forms and scripts, an hour and user; pages count apart, up to the same limit.",
  },
  LIMIT_REGISTER: {
    title: "Registering an agent",
    hint: "Registrations an hour and network address.",
  },
};
