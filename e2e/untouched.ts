import type { Page } from "playwright";
import { expect } from "./page-checks";

// What has to hold of a page whatever stands in it.

/** From here on, all that a text could have brought about is kept. */
export async function watch(page: Page): Promise<() => string[]> {
  const happened: string[] = [];
  page.on("dialog", (dialog) => {
    happened.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => happened.push(`a window: ${popup.url()}`));
  page.on("download", (download) => happened.push(`a download: ${download.url()}`));
  await page.exposeFunction("policyReport", (violation: string) =>
    happened.push(`a report: ${violation}`),
  );
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      const report = Reflect.get(window, "policyReport") as (violation: string) => void;
      report(`${violatedDirective} ${blockedURI}`);
    });
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    const own = new URL(page.url() === "about:blank" ? request.url() : page.url()).origin;
    if (url.protocol.startsWith("http") && url.origin !== own) happened.push(`asked ${url}`);
  });
  return () => happened;
}

/** Nothing that a text wrote has become a part of the page, acts, hides or turns the line around. */
export async function expectInert(page: Page): Promise<void> {
  await expect(page.locator("h1")).toHaveCount(1);
  expect(await page.evaluate(faultsOf), page.url()).toEqual([]);
}

const widths = [390, 1280];

/** And at the widths that people have, no text pushes the page or its buttons about. */
export async function expectInPlace(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect(scroll, `${page.url()} scrolls sideways at ${width} px`).toBeLessThanOrEqual(client);
    const faults = await page.evaluate(misplaced);
    expect(faults, `${page.url()} at ${width} px`).toEqual([]);
  }
}

function faultsOf(): string[] {
  const faults: string[] = [];
  if (Reflect.has(window, "injected")) faults.push("a script ran");
  const made = ".injected, #injected, [data-injected], base, iframe, object, embed, math, [srcdoc]";
  const refresh = "meta[http-equiv=refresh i]";
  for (const one of document.querySelectorAll(`${made}, ${refresh}`)) {
    faults.push(`made: ${one.outerHTML.slice(0, 120)}`);
  }
  // As React writes it into a form whose action is a function.
  const ours = "javascript:throw new Error('A React form was unexpectedly submitted.";
  for (const one of document.querySelectorAll("*")) {
    for (const { name, value } of one.attributes) {
      if (name.startsWith("on")) faults.push(`acts: ${name} of <${one.localName}>`);
      if (!["href", "src", "action", "formaction", "xlink:href"].includes(name)) continue;
      if (name.endsWith("action") && value.startsWith(ours)) continue;
      if (new URL(value, document.baseURI).origin !== location.origin) {
        faults.push(`leads away: ${name}=${value.slice(0, 80)}`);
      }
    }
  }
  return [...faults, ...unseen()];

  // Control characters, directions and what has no width: shown by code, or left out.
  function unseen(): string[] {
    const hidden =
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const holder = node.parentElement?.localName ?? "";
      if (["script", "style", "noscript"].includes(holder)) continue;
      if (hidden.test(node.nodeValue ?? "")) {
        found.push(`hides in <${holder}>: ${JSON.stringify(node.nodeValue?.slice(0, 80))}`);
      }
    }
    for (const one of document.querySelectorAll("[title], [aria-label], [alt], [placeholder]")) {
      for (const name of ["title", "aria-label", "alt", "placeholder"]) {
        const value = one.getAttribute(name) ?? "";
        if (hidden.test(value)) found.push(`hides in ${name}: ${JSON.stringify(value)}`);
      }
    }
    if (hidden.test(document.title)) found.push("hides in the title");
    return found;
  }
}

// A button of a card lies in the card, below its text, and is what a finger on it would press.
function misplaced(): string[] {
  const faults: string[] = [];
  const main = document.querySelector("main") ?? document.body;
  for (const button of main.querySelectorAll<HTMLElement>("button, summary, a[href]")) {
    if (!button.checkVisibility({ visibilityProperty: true })) continue;
    if (button.closest("[popover]:not(:popover-open), [inert]")) continue;
    button.scrollIntoView({ block: "center", behavior: "instant" });
    const [box] = button.getClientRects();
    if (box === undefined || box.width < 2 || box.height < 2) continue;
    const label = `${button.localName} ${JSON.stringify(button.textContent?.trim().slice(0, 40))}`;
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    // A link may be spread over its card, and then what lies in the card is the link.
    if (top === null || !(button.contains(top) || top.contains(button))) {
      faults.push(`${label} lies under ${top?.outerHTML.slice(0, 120)}`);
    }
    const card = button.closest("article, li");
    const outer = card?.getBoundingClientRect();
    if (outer && (box.left < outer.left - 1 || box.right > outer.right + 1)) {
      faults.push(`${label} stands out of its card`);
    }
  }
  return faults;
}

/** The names and places of the acts of the card that is shown, from its left edge. */
export function actionRows(page: Page): Promise<{ name: string; left: number }[]> {
  return page.evaluate(() => {
    const card = document.querySelector("main article[id]");
    const left = card?.getBoundingClientRect().left ?? 0;
    return [...(card?.querySelectorAll<HTMLElement>("[data-acts] button") ?? [])].map((one) => ({
      name: one.textContent.trim(),
      left: Math.round(one.getBoundingClientRect().left - left),
    }));
  });
}
