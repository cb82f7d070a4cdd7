import type { ElementHandle, JSHandle, Page } from "playwright";
import { kindOfPath } from "../every-page";
import { expect, violationsOn } from "../page-checks";

// The states of a page that a person can bring about, found in the page itself.

const phoneWidth = 390;

/** Returns what is wrong with the page as it is now: axe, sideways scroll, targets too small for a finger. */
export async function faultsOn(page: Page): Promise<string[]> {
  const isPhone = (page.viewportSize()?.width ?? 0) <= phoneWidth;
  const isForced = await page.evaluate(() => matchMedia("(forced-colors: active)").matches);
  const violations = await violationsOn(page, {
    // Axe takes what lies over a bar for what the bar covers; on a phone we measure ourselves.
    "target-size": { enabled: !isPhone },
    // Axe reads the colours of the page, and readers have chosen those that are seen.
    "color-contrast": { enabled: !isForced },
  });
  return [...violations, ...(await page.evaluate(misfits, phoneWidth))];
}

function misfits(phoneWidth: number): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  const faults = scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth}`] : [];
  if (innerWidth > phoneWidth) return faults;
  const acts = "button, summary, select, textarea, input:not([type=hidden]), a[href]";
  for (const one of document.querySelectorAll<HTMLElement>(acts)) {
    if (!one.checkVisibility({ visibilityProperty: true }) || !isAct(one)) continue;
    const isTick = one.matches("[type=checkbox], [type=radio]");
    const target = (isTick && one.closest("label")) || one;
    // What is there for a screen reader alone is no target until it has the focus.
    if (getComputedStyle(target).clipPath !== "none") continue;
    const { height, width } = target.getBoundingClientRect();
    // A switch is larger for a finger than it looks.
    const around = Number.parseFloat(getComputedStyle(one, "::after").height) || 0;
    if (Math.max(height, around) < 43.5 || width < 23.5)
      faults.push(`${Math.round(width)} × ${Math.round(height)} px: ${one.outerHTML}`);
  }
  return faults;

  // A link within a text, and a count that leads somewhere, is no act.
  function isAct(one: Element): boolean {
    if (one.matches(".link, a.text-small")) return false;
    const { backgroundColor, borderTopWidth } = getComputedStyle(one);
    const isDrawn = backgroundColor !== "rgba(0, 0, 0, 0)" || borderTopWidth !== "0px";
    return isDrawn || !one.matches("a") || one.closest("nav[aria-label=Shortcuts]") !== null;
  }
}

// The other states are still worth a look.
const soft = expect.configure({ soft: true, timeout: 5_000 });

const openers = [
  "[popovertarget]:not([popovertargetaction=hide])",
  "details:not([open]) > summary",
  "[aria-haspopup]",
  "article [data-acts] [name=ask]",
].join();

/** Opens by keys, one after the other, all that the page keeps closed; one of each kind. */
export async function* openedStates(page: Page, seen: Set<string>): AsyncGenerator<string> {
  const address = page.url();
  const kind = kindOfPath(new URL(address).pathname);
  for (;;) {
    const found = await page.evaluateHandle(nextOpener, { openers, kind, seen: [...seen] });
    const { opener, key, name } = await partsOf(found);
    if (opener === null) return;
    seen.add(key);
    await opener.focus();
    await page.keyboard.press("Enter");
    await soft.poll(() => opener.evaluate(isOpen), `${name} on ${address} opens`).toBe(true);
    yield name;
    if (await opener.evaluate((one) => one.matches("summary"))) continue;
    await page.keyboard.press("Escape");
    await soft.poll(() => page.evaluate(isBack), `Escape leaves ${name} on ${address}`).toBe(true);
  }
}

async function partsOf(found: JSHandle<ReturnType<typeof nextOpener>>) {
  const { key, name } = await found.evaluate((one) => ({ key: one?.key ?? "", name: one?.name }));
  const one = await found.getProperty("opener").catch(() => null);
  const opener = one?.asElement() as ElementHandle<HTMLElement> | null | undefined;
  return { opener: opener ?? null, key, name: name ?? "" };
}

function nextOpener(given: { openers: string; kind: string; seen: string[] }) {
  const { seen, kind } = given;
  for (const opener of document.querySelectorAll<HTMLElement>(given.openers)) {
    if (!opener.checkVisibility({ visibilityProperty: true })) continue;
    const name = opener.getAttribute("aria-label") ?? opener.textContent.trim();
    const place = opener.closest("main") === null ? "" : kind;
    const word = opener.dataset.act ?? name.split(/[\s:]/)[0];
    const key = [place, opener.localName, opener.className, word].join("|");
    if (!seen.includes(key)) return { opener, key, name: name.slice(0, 60) };
  }
  return { opener: null, key: "", name: "" };
}

// A panel of a card takes the place of the button that opened it.
function isOpen(opener: HTMLElement): boolean {
  const target = document.getElementById(opener.getAttribute("popovertarget") ?? "");
  if (target !== null) return target.matches(":popover-open, [open]");
  if (opener.localName === "summary") return opener.matches("[open] > summary");
  return !opener.isConnected || opener.ariaExpanded === "true";
}

function isBack(): boolean {
  const isClosed = document.querySelector("main :popover-open, dialog[open]") === null;
  return isClosed && document.activeElement !== document.body;
}

/** Sends each form without what it requires. */
export async function refusedForms(page: Page): Promise<number> {
  const forms = page.locator("main form[novalidate]:visible:has([required]:visible)");
  const count = await forms.count();
  for (let index = 0; index < count; index++) {
    const form = forms.nth(index);
    for (const field of await form.locator("[required]:visible").all()) await field.fill("");
    await form.locator("[type=submit]:visible").last().press("Enter");
    const refused = form.locator("[aria-invalid=true]").first();
    await soft(refused, `form ${index} on ${page.url()} is refused`).toBeAttached();
  }
  return count;
}

// No page has as many stops.
const pressesMax = 1_000;

/** Walks through the page by Tab; returns what cannot be reached, or not be seen to have the focus. */
export async function walk(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    Reflect.set(window, "stops", new Set<Element>());
    window.scrollTo(0, 0);
  });
  const faults: string[] = [];
  for (let isDone = false, presses = 0; !isDone; presses++) {
    if (presses > pressesMax) return [...faults, await page.evaluate(stuck)];
    await page.keyboard.press("Tab");
    // What scrolls to it does so with the next frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const stop = await page.evaluate(atStop);
    ({ isDone } = stop);
    faults.push(...stop.faults);
  }
  return [...faults, ...(await page.evaluate(unreached))];
}

function stuck(): string {
  return `Tab does not come round: it is at ${document.activeElement?.outerHTML.slice(0, 200)}`;
}

function atStop(): { isDone: boolean; faults: string[] } {
  const stops: Set<Element> = Reflect.get(window, "stops");
  const one = document.activeElement;
  // Beyond its last stop, a page begins again.
  if (one === null || one === document.body) return { isDone: false, faults: [] };
  // A field for a day has several stops.
  const isLast = [...stops].at(-1) === one;
  if (stops.has(one)) return { isDone: !isLast, faults: [] };
  stops.add(one);
  const faults: string[] = [];
  const words = one.outerHTML.slice(0, 200);
  const native = "a, button, input, select, textarea, summary, [aria-label], [aria-labelledby]";
  if (!one.matches(native)) faults.push(`focus on what has no name: ${words}`);
  if (![one, one.closest("label")].some(isRinged)) faults.push(`focus is not seen: ${words}`);
  if (!isUncovered(one)) faults.push(`focus is covered: ${words}`);
  return { isDone: false, faults };

  function isRinged(ringed: Element | null): boolean {
    if (ringed === null) return false;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(ringed);
    if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2) return false;
    return sidesSeen(ringed, Number.parseFloat(outlineOffset)) >= 2;
  }

  // How many sides of its ring no box around it cuts off.
  function sidesSeen(ringed: Element, offset: number): number {
    const { left, right, top, bottom } = ringed.getBoundingClientRect();
    const sides = [left - offset, top - offset, -right - offset, -bottom - offset];
    for (let box = ringed.parentElement; box !== null; box = box.parentElement) {
      if (getComputedStyle(box).overflowX === "visible") continue;
      const edge = box.getBoundingClientRect();
      const edges = [edge.left, edge.top, -edge.right, -edge.bottom];
      sides.forEach((side, index) => {
        if (side < (edges[index] ?? 0)) sides[index] = Number.NaN;
      });
    }
    return sides.filter((side) => !Number.isNaN(side)).length;
  }

  function isUncovered(focused: Element): boolean {
    return [...focused.getClientRects()].some(({ left, top, width, height }) =>
      [0.1, 0.5, 0.9].some((part) => {
        const at = document.elementFromPoint(left + width * part, top + height * part);
        return at !== null && (focused.contains(at) || at.contains(focused));
      }),
    );
  }
}

function unreached(): string[] {
  const stops: Set<Element> = Reflect.get(window, "stops");
  const acts = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  return [...document.querySelectorAll<HTMLElement>(acts)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(":disabled"))
    .filter((one) => !stops.has(one) && !isAmongRadios(one))
    .map((one) => `is not reached by Tab: ${one.outerHTML.slice(0, 200)}`);

  // Arrows move within a group of radios; Tab stops at one of them.
  function isAmongRadios(one: HTMLElement): boolean {
    if (!(one instanceof HTMLInputElement) || one.type !== "radio") return false;
    return [...stops].some(
      (stop) =>
        stop instanceof HTMLInputElement && stop.name === one.name && stop.form === one.form,
    );
  }
}
