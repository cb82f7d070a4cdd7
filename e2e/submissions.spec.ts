import { randomUUID } from "node:crypto";
import { signInAlice } from "./demo";
import { expect, holdScripts, test } from "./page-checks";

test.beforeEach(({ page }) => signInAlice(page));

test("A double click sends a form once; another act waits for the answer, and is sent then", async ({
  page,
}) => {
  const word = randomUUID();
  let answer = () => {};
  const held = new Promise<void>((release) => {
    answer = release;
  });
  await page.route("**/dashboard/memories*", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await page.goto("/dashboard/memories?add=1");
  const field = page.getByLabel("What to remember");
  const add = page.getByRole("button", { name: "Add", exact: true });
  await field.fill(`First ${word}.`);
  await add.dblclick();
  await field.fill(`Second ${word}.`);
  await add.click();
  answer();
  const kept = page.getByRole("main").getByText(word);
  await expect(kept).toHaveCount(2);
  await page.goto(`/dashboard/memories?q=${word}`);
  await expect(kept).toHaveCount(2);
});

test("What is typed and chosen in filters before scripts arrive narrows the list once they are there", async ({
  page,
}) => {
  const arrive = await holdScripts(page);
  await page.goto("/dashboard/memories", { waitUntil: "commit" });
  await page.getByRole("searchbox", { name: "Search your memories" }).fill("train");
  await page.getByLabel("Sort").selectOption("oldest");
  await page.getByLabel("Sort").selectOption("changed");
  arrive();
  await expect(page).toHaveURL("/dashboard/memories?q=train&sort=changed");
  await expect(page.getByLabel("Sort")).toHaveValue("changed");
});
