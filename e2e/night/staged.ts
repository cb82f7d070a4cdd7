import type { Page } from "playwright";
import { agentClient, askAccess } from "../demo";
import { approve, cardOf, found, propose } from "../inbox-page";
import { expect } from "../page-checks";

// States of the owner's pages that no opener leads to: something has to be typed or decided first.

interface Staged {
  name: string;
  stage: (page: Page) => Promise<void>;
}

export const staged: Staged[] = [
  {
    name: "the search with what it found",
    async stage(page) {
      await page.goto("/dashboard");
      const field = page.getByRole("combobox", { name: "Search or go to" });
      await expect(async () => {
        if (!(await field.isVisible())) await page.keyboard.press("Control+K");
        await expect(field).toBeFocused({ timeout: 2_000 });
      }).toPass({ timeout: 20_000 });
      await field.fill("iris");
      await expect(page.getByRole("option", { name: /Iris/ }).first()).toBeVisible();
    },
  },
  {
    name: "a decision that can be undone",
    async stage(page) {
      const { id } = await propose();
      await page.goto(`/dashboard/proposals?card=${id}`);
      await approve(cardOf(page, id));
      await expect(page.getByRole("button", { name: /Undo/ }).first()).toBeVisible();
    },
  },
  {
    name: "nothing left to decide",
    async stage(page) {
      const { id, content } = await propose();
      await page.goto(found(content.split(" ").at(-1)?.slice(0, -1) ?? ""));
      await approve(cardOf(page, id));
    },
  },
  {
    name: "a request with a category switched on",
    async stage(page) {
      const purpose = { type: "personalization", description: `To greet you, ${Date.now()}.` };
      const asking = { scopes: ["prof:interests", "prof:health"], purpose };
      await page.goto(await askAccess(agentClient("Nova"), asking));
      await page.getByRole("checkbox", { name: "Interests" }).first().check();
      await page
        .getByRole("radio", { name: /^1 day/ })
        .first()
        .check();
      await expect(page.getByRole("button", { name: /^Grant.* for 1 day$/ }).first()).toBeVisible();
    },
  },
  {
    name: "a rule that opens everything",
    async stage(page) {
      await page.goto("/dashboard/access/policies/new");
      await page.getByLabel("Which agents").selectOption({ index: 1 });
      await page.getByLabel("What they may do").selectOption("read");
      await page.getByRole("button", { name: "With what:" }).press("Enter");
      await page
        .getByRole("checkbox", { name: /everything|All/i })
        .first()
        .check();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("region", { name: /^This opens/ })).toBeVisible();
    },
  },
  {
    name: "selected memories",
    async stage(page) {
      await page.goto("/dashboard/memories");
      // A phone shows a tick once it has the focus.
      const tick = page.getByRole("listitem").getByRole("checkbox").first();
      await tick.focus();
      await page.keyboard.press("Space");
      await expect(tick).toBeChecked();
    },
  },
];
