import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright";
import { agentClient, aliceClient, aliceDid } from "./demo";
import { expect } from "./page-checks";

// What the tests of the inbox do with its one card.

export type Proposer = Parameters<typeof agentClient>[0] | "Alice";

interface Given {
  by?: Proposer;
  content?: string;
  category?: string;
  context?: string;
}

export interface Proposed {
  id: string;
  content: string;
}

/** A proposal that no other test has. */
export async function propose(given: Given = {}): Promise<Proposed> {
  const {
    by = "Iris",
    content = `Keeps bees, hive ${randomUUID()}.`,
    category = "prof:hobbies",
    context,
  } = given;
  const client = by === "Alice" ? aliceClient() : agentClient(by);
  const input = { did: aliceDid(), category, content, confidence: 0.8, context };
  const { data } = await client.proposeMemory(input);
  return { id: data.proposalId, content };
}

/** Its agent takes the proposal back. */
export async function takeBack({ id }: Proposed): Promise<void> {
  const client = agentClient("Iris");
  const target = `/api/proposals/${id}/withdraw`;
  const answer = await client.send(await client.signedRequest({ method: "POST", target }));
  if (!answer.ok) throw new Error(`taking back answered ${answer.status}`);
}

export async function fate(id: string) {
  const { data } = await aliceClient().listProposals({ did: aliceDid(), limit: 200 });
  return data.find((one) => one.id === id);
}

export async function statusOf(id: string) {
  return (await fate(id))?.status;
}

/** Shows only what has this word, so that tests at the same time do not meet. */
export function found(word: string, more = ""): string {
  return `/dashboard/proposals?q=${word}&group=time${more}`;
}

export async function openCard(page: Page, { id }: Proposed): Promise<Locator> {
  await page.goto(`/dashboard/proposals?card=${id}`);
  const card = cardOf(page, id);
  await expect(card).toHaveAttribute("data-seen");
  return card;
}

export function cardOf(page: Page, id: string): Locator {
  return page.locator(`article#${id}`);
}

/** A button of the card; its name goes on with the claim. */
export function act(card: Locator, name: string): Locator {
  return card.getByRole("button", { name: `${name}:` });
}

export async function approve(card: Locator): Promise<void> {
  await expect(card).toHaveAttribute("data-seen");
  await act(card, "Approve").click();
  await expect(card).toHaveCount(0);
}

/** What was decided last, at the foot of the queue. */
export function last(page: Page): Locator {
  return page.locator("#queue").getByRole("status");
}

/** The claims in the queue, from the top. */
export function queued(page: Page): Locator {
  return page.locator("#queue a[href*='card=']");
}

/** Whether the claim of the card is wholly in view: of one that scrolls, its end. */
export function isInView(card: Locator): Promise<boolean> {
  return card.evaluate((article) => {
    const [claim, heading] = [article.querySelector("[data-claim]"), article.querySelector("h2")];
    const box = claim?.getBoundingClientRect();
    const text = heading?.getBoundingClientRect();
    if (box === undefined || text === undefined) return false;
    const isOnScreen = box.top >= 0 && box.bottom <= innerHeight;
    const isWhole = text.top >= box.top - 1 || text.height > box.height;
    return isOnScreen && isWhole && text.bottom <= box.bottom + 1;
  });
}

/** What has a place of its own on every card. */
export function framesOf(card: Locator): Promise<number[][]> {
  return card.evaluate((article) =>
    [article, article.querySelector("form p"), ...article.querySelectorAll("[data-acts] button")]
      .flatMap((one) => (one === null ? [] : one.getBoundingClientRect()))
      .map(({ left, top, bottom }) => [left, top, bottom].map(Math.round)),
  );
}

/** Counts how much the page moves from now on, beside the lines of its queue. */
export function watchShifts(page: Page): Promise<void> {
  return page.evaluate(() => {
    Reflect.set(window, "shifted", 0);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const sources: { node: Node | null }[] = Reflect.get(entry, "sources");
        const isOutside = sources.some(
          ({ node }) => node?.parentElement?.closest("#queue") === null,
        );
        const sum = Reflect.get(window, "shifted") + Reflect.get(entry, "value");
        if (isOutside) Reflect.set(window, "shifted", sum);
      }
    }).observe({ type: "layout-shift" });
  });
}

export function shifted(page: Page): Promise<number> {
  return page.evaluate(() => Reflect.get(window, "shifted"));
}

export interface Wanted extends Proposed {
  verdict: "approve" | "reject";
  /** Sensitive, or with a warning: approving asks once more. */
  asks: boolean;
}

export interface Pace {
  /** How long a person takes for one. */
  ms: number;
  /** By the buttons of the card instead of the keys. */
  isTouch?: boolean;
}

/** Decides these cards, one after the other, as a person would. Counts what they would have missed. */
export async function decideAll(page: Page, cards: readonly Wanted[], pace: Pace) {
  const began = performance.now();
  const counts = { inView: 0, focusLosses: 0 };
  for (const wanted of cards) {
    const card = cardOf(page, wanted.id);
    const until = performance.now() + pace.ms;
    await expect(card).toBeVisible();
    await card.locator("[data-claim]").evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expect(card).toHaveAttribute("data-seen");
    if (await isInView(card)) counts.inView++;
    if (!(await card.evaluate((one) => one.contains(document.activeElement)))) counts.focusLosses++;
    await page.waitForTimeout(Math.max(0, until - performance.now()));
    await (pace.isTouch ? tapVerdict(card, wanted) : pressVerdict(page, wanted));
    await expect(card).toHaveCount(0);
  }
  return { ...counts, seconds: (performance.now() - began) / 1_000 };
}

const settleMs = 350;

async function pressVerdict(page: Page, { verdict, asks }: Wanted): Promise<void> {
  if (verdict === "reject") {
    await page.keyboard.press("r");
    return page.keyboard.press("Enter");
  }
  await page.keyboard.press("a");
  if (!asks) return;
  await page.waitForTimeout(settleMs);
  await page.keyboard.press("y");
}

async function tapVerdict(card: Locator, { verdict, asks }: Wanted): Promise<void> {
  if (verdict === "reject") {
    await act(card, "Reject").tap();
    return act(card, "Reject").tap();
  }
  await act(card, asks ? "Approve…" : "Approve").tap();
  if (!asks) return;
  await card.page().waitForTimeout(settleMs);
  await act(card, "Yes, keep it").tap();
}

/** Fails unless each is decided as wanted; the last one may be on its way. */
export async function expectDecided(cards: readonly Wanted[]): Promise<void> {
  const wrong = async () => {
    const { data } = await aliceClient().listProposals({ did: aliceDid(), limit: 200 });
    const statuses = new Map(data.map(({ id, status }) => [id, status]));
    return cards.filter(
      ({ id, verdict }) => statuses.get(id) !== (verdict === "approve" ? "approved" : "rejected"),
    );
  };
  await expect.poll(wrong).toEqual([]);
}
