import type { Browser, BrowserContextOptions, Page } from "playwright";
import { docsHref, docsNames } from "@/app/docs/_parts/docs-pages";
import { rootSignIn, signInAlice } from "../demo";
import { everyPage, kindOfPath } from "../every-page";
import { propose } from "../inbox-page";
import { expect, test } from "../page-checks";
import { signIn } from "../people";
import { likeMarks, unseenStates } from "./forced-colours";
import { staged } from "./staged";
import { faultsOn, openedStates, refusedForms, walk } from "./states";

// Every page, at rest and with all that it opens, in every look that readers have.

type Reader = "owner" | "admin" | "guest";

const reading: Record<Reader, (page: Page) => Promise<void>> = {
  owner: signInAlice,
  admin: async (page) => {
    await signIn(page, rootSignIn());
    await page.waitForURL(/\/(dashboard|admin)/);
  },
  guest: async () => {},
};

interface Look extends BrowserContextOptions {
  /** Whether Tab goes through each page, and all that it keeps closed is opened; else it is seen at rest. */
  isTried?: boolean;
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desk = { viewport: { width: 1280, height: 800 } };
const looks: Record<string, Look> = {
  "in light": { ...desk, colorScheme: "light", isTried: true },
  "in dark": { ...desk, colorScheme: "dark" },
  "on a light phone": { ...phone, colorScheme: "light" },
  "on a dark phone": { ...phone, colorScheme: "dark", isTried: true },
  "at 320 px": { viewport: { width: 320, height: 640 }, isTried: true },
  "at 200 %": { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
  "in forced colours": { ...desk, forcedColors: "active", isTried: true },
  "in dark forced colours": { ...phone, forcedColors: "active", colorScheme: "dark" },
};

const pages: Record<Reader, string[]> = {
  owner: [],
  admin: [],
  guest: [
    "/sign-in",
    "/sign-up",
    "/goodbye",
    "/link/nothing",
    "/no/such/page",
    "/docs/search?q=policy",
    "/docs/search?q=nowhere-to-be-found",
    ...docsNames.map(docsHref),
  ],
};

test.describe.configure({ timeout: 900_000 });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  const cards = [
    { by: "Alice", category: "prof:health", content: "Takes a walk before work for the heart." },
    { content: "Writes letters in the language they came in. ".repeat(44) },
    { content: "Likes \u202erain\u202c and \u200btea in the evening." },
  ] as const;
  for (const card of cards) {
    const { id } = await propose(card);
    pages.owner.push(`/dashboard/proposals?card=${id}`);
  }
  const empty = ["proposals", "memories", "activity", "agents"];
  pages.owner.push(...empty.map((name) => `/dashboard/${name}?q=nowhere-to-be-found`));
  for (const [reader, root] of [
    ["owner", "/dashboard"],
    ["admin", "/admin"],
  ] as const) {
    pages[reader].push(`${root}/no/such/page`, ...(await kindsBelow(browser, reader, root)));
  }
});

// One address of those that differ in ids or in what is filtered; none that combines what others show alone.
async function kindsBelow(browser: Browser, reader: Reader, root: "/dashboard" | "/admin") {
  const page = await browser.newPage();
  await reading[reader](page);
  const kinds = new Map<string, string>();
  for await (const { address } of everyPage(page, { root, things: 1, parts: 1 })) {
    const { pathname, searchParams } = new URL(address, page.url());
    if (searchParams.size > 1) continue;
    const kind = `${kindOfPath(pathname)}?${[...searchParams.keys()].sort()}`;
    kinds.set(kind, kinds.get(kind) ?? address);
  }
  await page.close();
  return [...kinds.values()];
}

for (const [name, { isTried = false, ...options }] of Object.entries(looks)) {
  test(`Every page is accessible ${name}`, async ({ browser }) => {
    const visit = new Visit(options.forcedColors === "active");
    for (const reader of ["owner", "admin", "guest"] as const) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      await reading[reader](page);
      for (const address of pages[reader]) {
        await page.goto(address);
        await expect(page.locator("main [data-asleep]")).toHaveCount(0);
        await visit.look(page, "at rest");
        if (isTried) await tryPage(page, visit);
      }
      for (const { name: state, stage } of reader === "owner" ? staged : []) {
        await stage(page);
        await visit.look(page, state);
      }
      await context.close();
    }
    test.info().annotations.push({ type: "states", description: String(visit.states) });
    expect(visit.faults).toEqual([]);
  });
}

async function tryPage(page: Page, visit: Visit): Promise<void> {
  // The pages of the documentation have one frame, and hundreds of links.
  if (!page.url().includes("/docs/")) visit.note(page, "by Tab", await walk(page));
  for await (const opened of openedStates(page, visit.seen)) await visit.look(page, opened);
  if ((await refusedForms(page)) > 0) await visit.look(page, "refused");
}

/** Collects what is wrong with all the states of one look. */
class Visit {
  readonly faults: string[] = [];
  readonly seen = new Set<string>();
  states = 0;

  constructor(private readonly isForced: boolean) {}

  async look(page: Page, state: string): Promise<void> {
    this.states++;
    this.note(page, state, await faultsOn(page));
    if (!this.isForced) return;
    this.note(page, state, await unseenStates(page, this.seen));
    if (state === "at rest") this.note(page, state, await likeMarks(page));
  }

  note(page: Page, state: string, faults: string[]): void {
    const { pathname, search } = new URL(page.url());
    this.faults.push(...faults.map((fault) => `${pathname}${search}, ${state}: ${fault}`));
  }
}
