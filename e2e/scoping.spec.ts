import type { Page } from "playwright";
import { expect, test } from "./page-checks";
import { type Agent, newcomer, openOwnSteps, type Person, registerAgent } from "./people";

async function propose({ client }: Agent, { did }: Person, content: string): Promise<string> {
  const input = { did, content, category: "prof:hobbies", confidence: 0.5 };
  return (await client.proposeMemory(input)).data.proposalId;
}

async function statusOf({ client }: Agent, { did }: Person, id: string) {
  const { data } = await client.listProposals({ did });
  return data.find((one) => one.id === id)?.status;
}

// The form as it was shown, with other words in its hidden fields.
async function rename(page: Page, card: string, fields: Record<string, string>): Promise<void> {
  await page.locator(`article#${card} form[method=POST]`).evaluate((form, given) => {
    for (const [name, value] of Object.entries(given)) {
      form.querySelector(`input[name=${name}]`)?.setAttribute("value", value);
    }
  }, fields);
}

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("A form that names somebody else's profile changes nothing there", async ({
    page,
    browser,
  }) => {
    test.slow();
    const elsewhere = await browser.newContext();
    const mine = await newcomer(page.request, "Ada");
    const other = await newcomer(elsewhere.request, "Bo");
    const agent = await registerAgent({ name: "Postbox" });
    const own = await propose(agent, mine, "Keeps a boat.");
    const foreign = await propose(agent, other, "Keeps a goat.");
    const approve = page.locator(`article#${own}`).getByRole("button", { name: "Approve: " });

    const attempts: Record<string, string>[] = [
      { profile: other.did, proposalId: foreign },
      { profile: other.did },
      { proposalId: foreign },
    ];
    for (const fields of attempts) {
      await page.goto("/dashboard/proposals");
      await rename(page, own, fields);
      await approve.click();
      await expect(page.getByText("Approved: now one of your memories.")).toHaveCount(0);
      expect(await statusOf(agent, other, foreign)).toBe("pending");
      expect(await statusOf(agent, mine, own)).toBe("pending");
    }
    await page.goto("/dashboard/proposals");
    await approve.click();
    await expect(page.getByText("Approved: now one of your memories.").first()).toBeVisible();
    expect(await statusOf(agent, mine, own)).toBe("approved");
    await elsewhere.close();
  });
});

test("A cookie that names somebody else's profile opens nothing of it", async ({
  page,
  browser,
  baseURL,
}) => {
  const elsewhere = await browser.newContext();
  const mine = await newcomer(page.request, "Cleo");
  const other = await newcomer(elsewhere.request, "Dag");
  const agent = await registerAgent({ name: "Postbox" });
  await propose(agent, other, "Keeps a secret garden.");
  const cookie = { name: "gateway-profile", value: other.did, url: baseURL ?? "" };
  await page.context().addCookies([cookie]);
  await page.goto("/dashboard");
  await openOwnSteps(page);
  await expect(page.getByText(`access ${mine.did}`).first()).toBeVisible();
  await expect(page.getByText(other.did)).toHaveCount(0);
  await page.goto("/dashboard/proposals");
  await expect(page.getByText("secret garden")).toHaveCount(0);

  const live = `/api/live?profile=${encodeURIComponent(other.did)}`;
  expect((await page.request.get(live)).status()).toBe(404);
  await elsewhere.close();
});
