import { expect, test } from "vitest";
import { withoutSecrets } from "./without-secrets";

test.each([
  ["Likes tea.", "Likes tea."],
  ["The wifi password of the flat is Regen7Bogen!", "The wifi password of the flat is Rege…n!"],
  ["Pays with 4111 1111 1111 1111 at home", "Pays with 4111…11 at home"],
  [
    "Seed phrase: apple banana cherry drum eagle frost grape house igloo jelly koala lemon",
    "Seed…on",
  ],
])("%s is listed as %s", (text, listed) => {
  expect(withoutSecrets(text)).toBe(listed);
});
