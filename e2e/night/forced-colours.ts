import type { ElementHandle, Page } from "playwright";

// Forced colours leave a page the few colours of its reader: what a state differs in must be seen without hue.

const states = [
  "[aria-current]:not([aria-current=false])",
  "[aria-pressed=true]",
  "[aria-selected=true]",
  "[aria-checked=true]",
  "[aria-invalid=true]",
  "input:checked",
].join();

/** Returns the chosen, current, switched-on and refused things that look the same in grey without their state. */
export async function unseenStates(page: Page, seen: Set<string>): Promise<string[]> {
  const faults: string[] = [];
  for (const one of await page.$$(states)) {
    const key = await one.evaluate((element) => `${element.localName} ${element.className}`);
    if (seen.has(key) || !(await one.isVisible())) continue;
    seen.add(key);
    const withState = await picture(page, one);
    await one.evaluate(strip);
    const without = await picture(page, one);
    await one.evaluate(restore);
    if (!(await differ(page, withState, without))) faults.push(`its state is not seen: ${key}`);
  }
  return faults;
}

/** Returns the pairs of marks that look the same in grey. */
export async function likeMarks(page: Page): Promise<string[]> {
  const marks = await page.$$("[aria-label='What the marks mean'] .mark:visible");
  const pictures = await Promise.all(marks.map((one) => one.screenshot().then(base64)));
  const faults: string[] = [];
  for (const [index, one] of pictures.entries()) {
    for (const [other, picture] of pictures.entries()) {
      if (other > index && !(await differ(page, one, picture))) faults.push(`${index} is ${other}`);
    }
  }
  return faults;
}

function strip(element: Element): void {
  const names = ["aria-current", "aria-pressed", "aria-selected", "aria-checked", "aria-invalid"];
  const had = names.map((name) => [name, element.getAttribute(name)] as const);
  Reflect.set(window, "had", had);
  for (const name of names) element.removeAttribute(name);
  if (element instanceof HTMLInputElement) element.checked = false;
}

function restore(element: Element): void {
  const had: [string, string | null][] = Reflect.get(window, "had");
  for (const [name, value] of had) if (value !== null) element.setAttribute(name, value);
  if (element.matches("[type=checkbox], [type=radio]")) Reflect.set(element, "checked", true);
}

// What marks the place in the side stands beside it.
const around = 16;

async function picture(page: Page, one: ElementHandle<Element>): Promise<string> {
  await one.scrollIntoViewIfNeeded();
  const box = await one.boundingBox();
  const viewport = page.viewportSize();
  if (box === null || viewport === null) throw new Error("this cannot be seen");
  const [x, y] = [Math.max(0, box.x - around), Math.max(0, box.y - around)];
  const width = Math.min(viewport.width, box.x + box.width + around) - x;
  const height = Math.min(viewport.height, box.y + box.height + around) - y;
  return base64(await page.screenshot({ clip: { x, y, width, height } }));
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64");
}

function differ(page: Page, one: string, other: string): Promise<boolean> {
  return page.evaluate(greyDiffers, [one, other] as const);
}

async function greyDiffers(pictures: readonly [string, string]): Promise<boolean> {
  const [one, other] = await Promise.all(pictures.map(greyOf));
  if (one === undefined || other === undefined || one.length !== other.length) return true;
  // As many pixels as a thin line of a few letters' length, a quarter of the way from black to white.
  return one.filter((grey, index) => Math.abs(grey - (other[index] ?? 0)) > 64).length > 24;

  async function greyOf(picture: string): Promise<number[]> {
    const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    if (canvas === null) throw new Error("there is no canvas");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    const greys: number[] = [];
    for (let at = 0; at < data.length; at += 4) {
      greys.push(0.3 * (data[at] ?? 0) + 0.59 * (data[at + 1] ?? 0) + 0.11 * (data[at + 2] ?? 0));
    }
    return greys;
  }
}
