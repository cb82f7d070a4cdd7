import type { Random } from "./random";

// Hostile values, as JSON source text: much of what hurts cannot be said by an object in memory.

const numbers = [
  "0",
  "-0",
  "-1",
  "1.0000001",
  "1e400",
  "-1e400",
  "1e-400",
  "9007199254740993",
  "1".repeat(400),
  `0.${"3".repeat(400)}`,
  "2147483648",
];

const noJson = ["NaN", "Infinity", "undefined", "0x10", "01", "+1", ".5", "1.", "'one'", "", "tru"];

export const strings = [
  "",
  " ",
  "\t\r\n",
  "\u0000",
  "a\u0000b",
  "\ud83e",
  "\udd89\ud83e",
  "\u202egnp.exe\u202c",
  "\u2066\u2067\u2069",
  "🦉".repeat(40),
  "👩‍👩‍👧‍👦",
  `Z${"\u0335\u0311".repeat(60)}`,
  "\u2028\u2029\u0085",
  "\ufeff",
  "\uffff\ufffe",
  "İıßſ",
  '\'; DROP TABLE "Memory"; --',
  "\\",
  '"',
  "%00%0a%2e%2e%2f",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "{{7*7}} #{7*7}",
  "__proto__",
  "constructor",
  "null",
  "prof:*",
  "prof:health",
  "prof:health.*",
  "prof:interests.secret",
  `prof:${"a".repeat(65)}`,
  `prof:${"a.".repeat(80)}a`,
  "prof:..",
  "did:prof:user:local:",
  "1970-01-01T00:00:00Z",
];

/** One value, as it stands in a JSON text; now and then not JSON at all. */
export function hostileValue(random: Random): string {
  switch (random.below(12)) {
    case 0:
      return random.pick(["null", "true", "false", "[]", "{}", "[[]]", "[null]", '[""]', "[{}]"]);
    case 1:
    case 2:
      return random.pick(numbers);
    case 3:
      return random.pick(noJson);
    case 4:
      return nested(random, random.pick([2, 30, 31, 32, 33, 100, 5_000]));
    case 5:
      return many(random, random.pick([50, 51, 1_000]));
    case 6:
      return hostileObject(random);
    case 7:
      return JSON.stringify(long(random));
    default:
      return spelled(random, random.pick(strings));
  }
}

export function hostileObject(random: Random): string {
  const key = random.pick(["__proto__", "constructor", "prototype", "a", "\\u005f_proto__", ""]);
  const value = random.pick(["1", "{}", '{"isAdmin":true}', "[]", "null"]);
  const member = `"${key}":${value}`;
  return random.chance(0.5) ? `{${member}}` : `{${member},${member}}`;
}

function long(random: Random): string {
  const unit = random.pick(["a", "é", "🦉", " ", "\u202e", "\\"]);
  const units = random.pick([64, 65, 128, 129, 500, 501, 1_000, 1_001, 10_000, 10_001, 15_000]);
  return unit.repeat(units);
}

function many(random: Random, count: number): string {
  const item = random.pick(['"prof:interests"', "1", '"x"', "[]", "{}"]);
  const isVaried = random.chance(0.5) && item.startsWith('"p');
  return `[${Array.from({ length: count }, (_, at) => (isVaried ? `"prof:p${at}"` : item)).join()}]`;
}

function nested(random: Random, depth: number): string {
  return random.chance(0.5)
    ? "[".repeat(depth) + "]".repeat(depth)
    : `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
}

// The same string in one of the ways in which JSON lets it be written.
function spelled(random: Random, text: string): string {
  if (random.chance(0.5)) return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
}
