import type { Browser, Page } from "playwright";

// What the browser itself measures on a page.

// What the list of `slownessOf` takes on that machine.
const plainListMs = 16;

/**
 * How many times slower this machine is now than the one of `bench/RESULTS.md`, on which bounds in milliseconds were
 * set: by a plain list that is drawn by hand. At least 1.
 */
export async function slownessOf(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  const quick = await page.evaluate(() => {
    const rounds = Array.from({ length: 101 }, () => {
      const began = performance.now();
      const list = document.createElement("ol");
      for (let line = 1; line <= 1_000; line++) {
        const item = document.createElement("li");
        item.append(`Line ${line}`);
        list.append(item);
      }
      document.body.append(list);
      list.getBoundingClientRect();
      list.remove();
      return performance.now() - began;
    });
    return rounds.toSorted((one, other) => one - other)[25] ?? 0;
  });
  await page.close();
  return Math.max(1, quick / plainListMs);
}

/** Counts from the first moment of each page that this one opens. */
export async function watchTimings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { paintMs: 0, shift: 0, slowestMs: 0, moved: "" };
    Reflect.set(window, "seen", seen);
    const on = (type: string, each: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({
        ...{ type, buffered: true },
        ...(type === "event" ? { durationThreshold: 16 } : {}),
      });
    on("largest-contentful-paint", ({ startTime }) => {
      seen.paintMs = startTime;
    });
    on("layout-shift", (entry) => {
      if (Reflect.get(entry, "hadRecentInput")) return;
      seen.shift += Reflect.get(entry, "value");
      const sources: { node: Node | null }[] = Reflect.get(entry, "sources");
      for (const { node } of sources) {
        const element = node instanceof Element ? node : node?.parentElement;
        seen.moved += ` <${element?.localName} class="${element?.getAttribute("class")}">`;
      }
    });
    on("event", (entry) => {
      if (!Reflect.get(entry, "interactionId")) return;
      seen.slowestMs = Math.max(seen.slowestMs, entry.duration);
    });
  });
}

/** What a page took that nothing was kept of. */
export function figuresOf(page: Page) {
  return page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestIdleCallback(resolve));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const loaded = performance.getEntriesByType("resource");
    const kilobytes = (ending: RegExp) =>
      loaded
        .filter(({ name }) => ending.test(new URL(name).pathname))
        .reduce((sum, entry) => sum + Reflect.get(entry, "encodedBodySize") / 1_024, 0);
    const { paintMs, shift }: { paintMs: number; shift: number } = Reflect.get(window, "seen");
    return { paintMs, shift, scriptsKb: kilobytes(/\.js$/), fontsKb: kilobytes(/\.woff2$/) };
  });
}

/** What moved on it, as the start of each element. */
export function movedOn(page: Page): Promise<string> {
  return page.evaluate(() => Reflect.get(Reflect.get(window, "seen"), "moved"));
}

/** How long an address takes to its first byte, again and again. The page should be loading nothing else. */
export function firstBytesOf(
  page: Page,
  { address, loads }: { address: string; loads: number },
): Promise<number[]> {
  return page.evaluate(
    async ({ address, loads }) => {
      const { href } = new URL(address, location.href);
      const first: number[] = [];
      for (let turn = 0; turn < loads; turn++) {
        performance.clearResourceTimings();
        await (await fetch(href, { cache: "no-store" })).text();
        const entry = performance.getEntriesByName(href, "resource").at(-1);
        if (entry === undefined) continue;
        first.push(Reflect.get(entry, "responseStart") - Reflect.get(entry, "requestStart"));
      }
      return first;
    },
    { address, loads },
  );
}

/** The longest from a key or click to the next paint, of all that this does. */
export async function slowestOf(page: Page, acts: () => Promise<void>): Promise<number> {
  await page.evaluate(() => Reflect.set(Reflect.get(window, "seen"), "slowestMs", 0));
  await acts();
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return Reflect.get(Reflect.get(window, "seen"), "slowestMs");
  });
}
