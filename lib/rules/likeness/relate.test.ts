import { expect, test } from "vitest";
import { relate } from "./relate";
import vectors from "./vectors.json";

test.each(vectors)("$id: $one | $other: $relation", ({ one, other, relation }) => {
  expect([relate(one, other), relate(other, one)]).toEqual([relation, relation]);
});

test.each([
  ["Prefers trains to planes", "Prefers planes to trains", "contradicts"],
  ["Likes olives", "Does not like olives", "contradicts"],
  ["Loves olives", "Likes olives", "same"],
  ["Hates olives", "Does not like olives", "same"],
  ["Wife works as a teacher", "Works as a nurse", "none"],
  ["Works as a teacher", "Works as a nurse", "updates"],
  ["The rent is 900 euros", "The rent is 950 euros", "updates"],
  ["Does not like olives", "Does not like onions", "none"],
  ["辛い料理が好き", "辛い料理が嫌い", "contradicts"],
  ["住在上海。", "住在上海", "same"],
  ["我喜欢猫", "我不喜欢猫", "contradicts"],
  ["Was born on 3 May", "Likes May bugs", "none"],
])("%s | %s: %s", (one, other, relation) => {
  expect([relate(one, other), relate(other, one)]).toEqual([relation, relation]);
});
