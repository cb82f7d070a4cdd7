import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { signInAlice } from "../demo";
import {
  cardOf,
  decideAll,
  expectDecided,
  found,
  last,
  type Proposer,
  propose,
  queued,
  shifted,
  type Wanted,
  watchShifts,
} from "../inbox-page";
import { expect, test } from "../page-checks";

// A hundred proposals of every kind at the pace of a person: 1.2 seconds each and more.

const paceMs = 1_200;
const secondsMax = 300;

const kinds: { text: (word: string) => string; isSensitive?: boolean; isFlagged?: boolean }[] = [
  { text: (word) => `Prefers window seats on long train journeys, facing forward ${word}.` },
  { text: (word) => `Prefers aisle seats on long train journeys, facing forward ${word}.` },
  { text: (word) => `Takes sertraline in the morning ${word}.`, isSensitive: true },
  { text: (word) => `${"Writes letters in the language they came in. ".repeat(44)} ${word}` },
  { text: (word) => `漢字と仮名のメモは日本語のまま残してください。${word}` },
  { text: (word) => `يفضّل القهوة بدون سكر بعد الظهر ${word}` },
  { text: (word) => `Likes \u202erain\u202c and \u200btea ${word}.`, isFlagged: true },
  { text: (word) => `Has a knee that aches before snow ${word}.`, isSensitive: true },
  { text: (word) => `${"Draws by hand first and then in the program. ".repeat(13)} ${word}` },
  { text: (word) => `Tabs, never spaces 🌿 ${word}` },
];

async function proposeHundred(word: string): Promise<Wanted[]> {
  const wanted: Wanted[] = [];
  for (let count = 0; count < 100; count++) {
    const {
      text = (given: string) => given,
      isSensitive = false,
      isFlagged = false,
    } = kinds[count % kinds.length] ?? {};
    const by: Proposer = isSensitive || count % 4 === 0 ? "Alice" : "Iris";
    const category = isSensitive ? "prof:health" : "prof:hobbies";
    const content = text(`${word} ${count}`);
    const verdict = count % 3 === 2 ? "reject" : "approve";
    wanted.push({
      ...(await propose({ by, category, content })),
      asks: isSensitive || isFlagged,
      verdict,
    });
  }
  return wanted;
}

async function workThrough(page: Page, isTouch: boolean): Promise<void> {
  const word = randomUUID().slice(0, 8);
  const wanted = await proposeHundred(word);
  await page.goto(found(word, "&order=oldest"));
  await expect(page.getByText("1 of 100").filter({ visible: true })).toHaveCount(1);
  await cardOf(page, wanted[0]?.id ?? "").focus();
  await watchShifts(page);
  // After the last card the empty list takes its place, which is another page to look at.
  const pace = { ms: paceMs, isTouch };
  const most = await decideAll(page, wanted.slice(0, -1), pace);
  expect(await shifted(page)).toBeLessThan(0.01);
  const end = await decideAll(page, wanted.slice(-1), pace);
  const result = {
    inView: most.inView + end.inView,
    focusLosses: most.focusLosses + end.focusLosses,
    seconds: most.seconds + end.seconds,
  };
  test.info().annotations.push({ type: "hundred", description: JSON.stringify(result) });
  expect(result).toMatchObject({ inView: 100, focusLosses: 0 });
  expect(result.seconds).toBeLessThan(secondsMax);
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeFocused();
  await expectDecided(wanted);
  if (isTouch) return;
  for (let count = 0; count < 51; count++) await page.keyboard.press("u");
  await expect(queued(page)).toHaveCount(50, { timeout: 60_000 });
  await expect(last(page)).toBeEmpty();
}

test.describe.configure({ timeout: 600_000 });

test("a hundred mixed proposals are decided by keys, each with its claim in view, and fifty undone", async ({
  page,
}) => {
  await signInAlice(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await workThrough(page, false);
});

test("a hundred mixed proposals are decided by touch on a phone, each with its claim in view", async ({
  browser,
}) => {
  const viewport = { width: 390, height: 844 };
  const phone = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  const page = await phone.newPage();
  await signInAlice(page);
  await workThrough(page, true);
  await phone.close();
});
