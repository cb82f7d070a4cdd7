#!/usr/bin/env node
// Takes the pictures of the README in both themes, and writes down what their pages say.
import { mkdirSync, writeFileSync } from "node:fs";
import { chromium } from "playwright";
import { findBrowser } from "./requirements.mjs";
import {
  eachScreen,
  folder,
  pictureFile,
  scale,
  startDemo,
  themes,
  wordsFile,
  wordsOf,
} from "./screens.mjs";

const bytesMax = 150 * 1024;

const demo = await startDemo();
try {
  await takeAll();
} finally {
  await demo.stop();
}

async function takeAll() {
  mkdirSync(folder, { recursive: true });
  const executablePath = findBrowser() ?? undefined;
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  await eachScreen(browser, demo, async ({ name }, page) => {
    writeFileSync(wordsFile(name), `${await wordsOf(page)}\n`);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      const picture = await smallEnough(page);
      const file = pictureFile(name, colorScheme);
      writeFileSync(file, picture);
      process.stdout.write(`${file}  ${Math.round(picture.length / 1024)} KB\n`);
    }
  });
  await browser.close();
}

// Chromium encodes WebP itself, a third of the size of PNG.
async function smallEnough(page) {
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, ...page.viewportSize(), scale };
  for (const quality of [90, 80, 70, 60]) {
    const { data } = await session.send("Page.captureScreenshot", {
      format: "webp",
      quality,
      clip,
    });
    const picture = Buffer.from(data, "base64");
    if (picture.length <= bytesMax) return picture;
  }
  throw new Error(`${page.url()} takes more than ${bytesMax} bytes`);
}
