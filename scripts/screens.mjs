// The screens that the README shows: how each is opened, and what its page says. `npm run screenshots` takes the
// pictures and stores the texts beside them; e2e/pictures.spec.ts compares those with today's pages.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const folder = "public/screenshots";
export const themes = ["light", "dark"];
export const viewport = { width: 1280, height: 800 };
/** Device pixels for one of the page, as on the displays that most people read on. */
export const scale = 2;

/** `prepare` brings the page into the state to show. */
export const screens = [
  { name: "inbox", address: "/dashboard/proposals" },
  { name: "overview", address: "/dashboard" },
  { name: "access-request", address: "/dashboard/access", prepare: switchOn },
  { name: "rule", address: "/dashboard/access/policies/new", prepare: writeRule },
];

async function switchOn(page) {
  await page.getByRole("checkbox").first().check();
  await page.getByRole("radio", { name: /^1 day/ }).check();
  await page.getByRole("button", { name: /^Grant.* for 1 day$/ }).waitFor();
}

async function writeRule(page) {
  await page.getByLabel("Which agents").selectOption("verified");
  await page.getByLabel("What they may do").selectOption("read");
  await page.getByRole("button", { name: "With what:" }).click();
  await page.getByRole("checkbox", { name: /^Interests \d/ }).check();
  await page.keyboard.press("Escape");
  await page.getByText("Every verified agent").first().waitFor();
}

/** Starts a demo of its own, which nobody else has changed. */
export async function startDemo() {
  const data = mkdtempSync(path.join(tmpdir(), "gateway-screens-"));
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
    let output = "";
    child.once("exit", (code) => reject(new Error(`the demo ended with ${code}\n${output}`)));
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const url = /^ {2}Address +(\S+)$/m.exec(output)?.[1];
      if (url !== undefined && /^ {2}Demo keys /m.test(output)) resolve(url);
    });
  });
}

/** Opens each screen as Alice, and hands its page over. */
export async function eachScreen(browser, { url, password }, visit) {
  const context = await browser.newContext({
    baseURL: url,
    viewport,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  await signIn(page, password);
  for (const screen of screens) {
    await open(page, screen);
    await visit(screen, page);
  }
  await context.close();
}

async function signIn(page, password) {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill("alice@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard$/);
}

async function open(page, { name, address, prepare }) {
  const response = await page.goto(address);
  if (response?.status() !== 200) {
    throw new Error(`${name}: ${address} answers ${response?.status()}`);
  }
  await prepare?.(page);
  await page.evaluate(async () => {
    window.scrollTo(0, 0);
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** Returns what a page says, with a name in place of what changes with the time. */
export async function wordsOf(page) {
  // biome-ignore lint/performance/useDomNodeTextContent: what is not shown is in no picture
  return timeless(await page.locator("body").innerText());
}

const months =
  "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?";
const days = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const moments = [
  `(?:${days},? )?\\b\\d{1,2} (?:${months})\\b(?: \\d{4})?`,
  days,
  "\\b\\d{1,2}:\\d{2}\\b(?: UTC)?",
  "\\bin (?:a|an|\\d+) (?:minute|hour|day|month|year)s?\\b",
  "\\b(?:a|an|\\d+) (?:minute|hour|day|month|year)s? ago\\b",
  "\\b(?:just now|today|yesterday|tomorrow)\\b",
];

export function timeless(text) {
  return (
    text
      .replace(new RegExp(moments.join("|"), "gi"), "TIME")
      .split("\n")
      .map((line) => line.trim())
      // How many headings a list by day has depends on the hour.
      .filter((line) => line !== "" && line !== "TIME")
      .join("\n")
  );
}

/** Returns the file that has the words of a screen. */
export function wordsFile(name) {
  return path.join(folder, `${name}.txt`);
}

export function pictureFile(name, theme) {
  return path.join(folder, `${name}-${theme}.webp`);
}
