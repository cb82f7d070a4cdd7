import { expect, test } from "vitest";
import { reachWords } from "./reach-words";

const nothing = { scopes: [], except: [] };
const some = { scopes: ["prof:interests", "prof:preferences"], except: [] };
const most = { scopes: ["prof:*"], except: ["prof:health"] };

test.each([
  [nothing, nothing, "May read nothing without asking first, and propose nothing."],
  [most, most, "May read and propose everything except health."],
  [some, nothing, "May read interests and preferences, and propose nothing."],
  [nothing, most, "May propose everything except health, and read nothing without asking first."],
  [some, most, "May read interests and preferences; may propose everything except health."],
])("what an agent may is one sentence: %#", (reads, proposes, words) => {
  expect(reachWords(reads, proposes)).toBe(words);
});
