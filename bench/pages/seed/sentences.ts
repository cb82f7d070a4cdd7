// Sentences as agents write them: many, all different, of words that come again, so that a search by
// words or by likeness has as much to look through as in life.

export interface Dice {
  /** From 0 to below 1. */
  roll(): number;
  below(end: number): number;
  one<T>(of: readonly T[]): T;
}

/** The same throws for the same seed (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  function roll(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (end: number) => Math.floor(roll() * end);
  return { roll, below, one: (of) => of[below(of.length)] as (typeof of)[number] };
}

const who = ["She", "Her sister", "The neighbour", "A colleague from the harbour", "Her mother"];
const verbs = [
  "prefers",
  "avoids",
  "often speaks of",
  "has begun to like",
  "was once afraid of",
  "saves money for",
  "plans a week around",
  "reads a great deal about",
  "would rather pay for",
  "keeps a list of",
  "teaches others about",
  "has stopped thinking about",
];
const qualities = [
  "quiet",
  "hand-made",
  "early",
  "second-hand",
  "slow",
  "northern",
  "unheated",
  "bright",
  "forgotten",
  "walled",
  "seasonal",
  "steep",
  "wooden",
  "cold-pressed",
  "long-distance",
];
const things = [
  "trains",
  "gardens",
  "kilns",
  "rooms with a desk",
  "fig trees",
  "mountain huts",
  "fado records",
  "public parks",
  "written briefs",
  "allergy tests",
  "ferries",
  "bookshops",
  "ceramic glazes",
  "drawing classes",
  "bicycle repairs",
  "vegetable markets",
  "physiotherapy sessions",
  "village festivals",
  "rainwater tanks",
  "moss collections",
];
const places = [
  "in Galicia",
  "near the harbour",
  "on the ridge above Porto",
  "by the canal in Ghent",
  "at her aunt's in Graz",
  "along the Baltic coast",
  "two streets from the studio",
  "in the old tram depot",
  "around Kyoto",
  "behind the botanical garden",
];
const times = [
  "since last autumn",
  "every other Thursday",
  "before the children wake",
  "when it rains",
  "twice a year",
  "for as long as the exhibition runs",
  "at the end of each quarter",
  "whenever the ferry is late",
  "on the first warm day",
  "after the yearly check-up",
];
const reasons = [
  "because the noise tires her",
  "as the doctor advised",
  "and would like others to know it",
  "but never on a working day",
  "although it costs more",
  "and says so each time it comes up",
  "so a change of plan has to be told early",
  "unless the journey takes longer than ten hours",
];

export function sentence(throws: Dice): string {
  const { one, roll, below } = throws;
  const about = `${one(qualities)} ${one(things)} ${one(places)}`;
  const base = `${one(who)} ${one(verbs)} ${about} ${one(times)}`;
  const why = roll() < 0.6 ? `, ${one(reasons)}` : "";
  const more = roll() < 0.15 ? ` ${sentence(throws)}` : "";
  const figure = roll() < 0.4 ? ` (${1 + below(98)} ${one(things)} so far)` : "";
  return `${base}${figure}${why}.${more}`;
}

/** What says nearly the same, as a second agent would put it. */
export function nearly(text: string, { one, roll }: Dice): string {
  const changed = text.replace(one(verbs.concat(places)), one(times));
  return roll() < 0.5 ? `${changed} ${one(["Noted twice.", "It said so itself."])}` : changed;
}

export const categories = [
  "prof:preferences",
  "prof:preferences.travel",
  "prof:preferences.food",
  "prof:preferences.garden",
  "prof:interests",
  "prof:interests.music",
  "prof:interests.books",
  "prof:episodic",
  "prof:professional",
  "prof:professional.preferences",
  "prof:relationships",
  "prof:health",
  "prof:financial",
  "prof:identity",
  "prof:hobbies",
  "prof:hobbies.ceramics",
];
