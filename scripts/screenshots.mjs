#!/usr/bin/env node
// Pictures of the main screens for the README, in both themes: starts the demo, signs in as Alice, and
// writes public/screenshots/. With --url and --password, of a demo that runs already.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright";
import { findBrowser } from "./requirements.mjs";

const folder = "public/screenshots";
const bytesMax = 150 * 1024;
const desk = { width: 1280, height: 880 };
const phone = { width: 390, height: 844 };

/** The screenshots; `prepare` brings the page into the state to show. */
const screens = [
  { name: "inbox", address: "/dashboard/proposals" },
  { name: "inbox-phone", address: "/dashboard/proposals", viewport: phone },
  { name: "access-request", address: "/dashboard/access", prepare: switchOn },
  { name: "agent", address: "/dashboard/agents/did%3Aprof%3Aagent%3Alocal%3Airis" },
  { name: "policy", address: "/dashboard/access/policies/new", prepare: writeRule },
  { name: "memories", address: "/dashboard/memories" },
  { name: "activity", address: "/dashboard/activity" },
  { name: "overview", address: "/dashboard" },
];

async function switchOn(page) {
  await page.getByRole("checkbox").first().check();
  await page.getByText("that it cannot see now").first().waitFor();
}

async function writeRule(page) {
  await page.getByRole("radio", { name: "Verified agents" }).check();
  await page.getByRole("checkbox", { name: "Interests", exact: true }).check();
  await page.getByText("Any verified agent").first().waitFor();
  await page.getByLabel("See your profile as").selectOption({ label: "Iris (verified)" });
  await page.getByText("that it cannot see now").first().waitFor();
}

const { values } = parseArgs({
  options: { url: { type: "string" }, password: { type: "string" } },
});
const demo = values.url ? { ...values, stop: () => undefined } : await startDemo();
try {
  await takeAll(demo);
} finally {
  await demo.stop();
}

async function startDemo() {
  const data = mkdtempSync(path.join(tmpdir(), "gateway-screenshots-"));
  const child = spawn(process.execPath, ["server/run.mjs", "server/main.ts", "--demo"], {
    env: { ...process.env, NODE_ENV: "production", PORT: "0", DATA_FOLDER: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
  async function stop() {
    if (child.exitCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    rmSync(data, { recursive: true, force: true });
  }
  const url = await addressOf(child);
  const { users } = JSON.parse(readFileSync(path.join(data, "demo/demo.json"), "utf8"));
  return { url, password: users.find(({ name }) => name === "Alice").password, stop };
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    child.once("exit", (code) => reject(new Error(`the demo ended with ${code}\n${said}`)));
    child.stdout.on("data", (chunk) => {
      said += chunk;
      const url = /^ {2}Address +(\S+)$/m.exec(said)?.[1];
      if (url !== undefined && /^ {2}Demo keys /m.test(said)) resolve(url);
    });
  });
}

async function takeAll({ url, password }) {
  mkdirSync(folder, { recursive: true });
  const executablePath = findBrowser() ?? undefined;
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  const storageState = await signIn(browser, { url, password });
  for (const colorScheme of ["light", "dark"]) {
    for (const screen of screens) {
      const context = await browser.newContext({
        baseURL: url,
        storageState,
        colorScheme,
        viewport: screen.viewport ?? desk,
        reducedMotion: "reduce",
        locale: "en-GB",
        timezoneId: "UTC",
      });
      await take(await context.newPage(), { ...screen, colorScheme });
      await context.close();
    }
  }
  await browser.close();
}

async function signIn(browser, { url, password }) {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill("alice@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/dashboard$/);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function take(page, { name, address, prepare, colorScheme }) {
  const response = await page.goto(address);
  if (response?.status() !== 200) {
    process.stdout.write(`${name}: ${address} answers ${response?.status()}, left out\n`);
    return;
  }
  await prepare?.(page);
  await page.evaluate(async () => {
    window.scrollTo(0, 0);
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  const picture = await smallEnough(page);
  const file = path.join(folder, `${name}-${colorScheme}.webp`);
  writeFileSync(file, picture);
  process.stdout.write(`${file}  ${Math.round(picture.length / 1024)} KB\n`);
}

// Chromium encodes WebP itself, a third of the size of PNG.
async function smallEnough(page) {
  const session = await page.context().newCDPSession(page);
  // As fine as on the displays that most people read on.
  const clip = { x: 0, y: 0, ...page.viewportSize(), scale: 2 };
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
