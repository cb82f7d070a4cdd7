import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  type Demo,
  eachScreen,
  folder,
  pictureFile,
  scale,
  screens,
  startDemo,
  themes,
  timeless,
  viewport,
  wordsFile,
  wordsOf,
} from "../scripts/screens.mjs";
import { expect, test } from "./page-checks";

// The README shows pictures. They are taken again when a page says something else: npm run screenshots

const stale = "A picture of the README is stale: run `npm run screenshots`";

let demo: Demo;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  demo = await startDemo();
});
test.afterAll(() => demo.stop());

test("Every picture shows what its page says today", async ({ browser }) => {
  await eachScreen(browser, demo, async ({ name }, page) => {
    const stored = existsSync(wordsFile(name)) ? readFileSync(wordsFile(name), "utf8") : "";
    expect(`${await wordsOf(page)}\n`, `${stale} (${name})`).toBe(stored);
  });
});

test("Every picture has the size of its screen, in both themes", async ({ page }) => {
  const size = { width: viewport.width * scale, height: viewport.height * scale };
  await page.goto(demo.url);
  for (const { name } of screens) {
    for (const theme of themes) {
      const picture = readFileSync(pictureFile(name, theme)).toString("base64");
      expect(await page.evaluate(sizeOf, picture), `${stale} (${name})`).toEqual(size);
    }
  }
});

async function sizeOf(base64: string) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { width, height } = await createImageBitmap(new Blob([bytes], { type: "image/webp" }));
  return { width, height };
}

test("The README shows every picture there is, and no other", () => {
  const readme = readFileSync("README.md", "utf8");
  const shown = [...readme.matchAll(/public\/screenshots\/([\w-]+\.webp)/g)].map(
    ([, file]) => file,
  );
  const kept = readdirSync(folder).filter((file) => file.endsWith(".webp"));
  expect(shown.toSorted()).toEqual(kept.toSorted());
  expect(kept).toHaveLength(screens.length * themes.length);
});

test.describe("timeless", () => {
  test("leaves out what changes with the time, and nothing else", () => {
    expect(timeless("Kept 3 hours ago\n\n ends in 6 days ")).toBe("Kept TIME\nends TIME");
    expect(timeless("Yesterday\n14:05\nFriday 27 November 2026 at 09:30 UTC")).toBe("TIME at TIME");
    expect(timeless("1,428 memories for 30 days")).toBe("1,428 memories for 30 days");
  });
});
