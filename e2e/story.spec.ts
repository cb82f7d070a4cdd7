import { expect, test } from "./page-checks";
import { refusal, registerAgent, signUp } from "./people";

const scopes = ["prof:interests"];
const category = "prof:interests";

test("A newcomer's agent is refused, asks, is let in, proposes, reads what was kept, and is cut off", async ({
  page,
}) => {
  test.slow();
  const { did } = await signUp(page, "Mara");
  await expect(
    page.getByRole("heading", { name: "No active agent has reached your profile yet" }),
  ).toBeVisible();

  const { client } = await registerAgent({ name: "Quill", operator: "Quill & Sons" });
  expect(await refusal(client.getProfile({ did, scopes }))).toMatchObject({
    status: 403,
    code: "PROF004",
  });

  const purpose = { type: "recommendation", description: "To pick an exhibition." };
  const asking = await refusal(client.requestAccess({ did, scopes, purpose }));
  expect(asking).toMatchObject({ status: 403, code: "PROF004" });
  const consentUrl = String(asking.details.consentUrl);
  await page.goto(consentUrl);
  const request = page.locator(`#${new URL(consentUrl).searchParams.get("request")}`);
  await expect(request).toContainText("Quill");
  await expect(request).toContainText("Not verified");
  await expect(request).toContainText("To pick an exhibition.");
  await request.getByRole("checkbox", { name: "Interests" }).check();
  await request.getByRole("radio", { name: "30 days" }).check();
  await request.getByRole("button", { name: /^Grant/ }).click();
  await expect(request.getByText("Granted.")).toBeVisible();

  const granted = await client.requestAccess({ did, scopes, purpose });
  expect(granted.data).toMatchObject({ grantedScopes: scopes });
  expect((await client.getProfile({ did, scopes })).data.memories).toEqual({});

  await page.goto("/dashboard/proposals");
  const hint = page.getByText("Give an agent your identifier");
  await expect(hint).toBeVisible();
  await page.getByRole("link", { name: "Decided 0" }).click();
  await expect(page.getByText("You have not decided anything yet")).toBeVisible();
  await expect(hint).toHaveCount(0);

  const content = "Wants to see the moss garden in Kyoto.";
  const proposed = await client.proposeMemory({
    did,
    category,
    content,
    confidence: 0.8,
    context: "Saved two articles about it.",
  });
  await page.getByRole("link", { name: "Inbox" }).click();
  const card = page.locator(`article#${proposed.data.proposalId}`);
  await expect(card).toHaveAttribute("data-seen");
  await expect(card).toContainText(content);
  await card.getByRole("button", { name: "Edit: " }).click();
  const kept = content.replace("Wants", "Hopes");
  await card.getByLabel("The memory as it will be kept").fill(kept);
  await card.getByRole("button", { name: "Approve with changes: " }).click();
  await expect(page.getByText("Approved with changes").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Nobody is at the gate" })).toBeVisible();

  const { data: memories } = await client.listMemories({ did, category });
  expect(JSON.stringify(memories)).toContain(kept);
  const { data: profile } = await client.getProfile({ did });
  expect(JSON.stringify(profile.memories)).toContain(kept);

  await page.goto("/dashboard/agents");
  await page.getByRole("link", { name: "Quill" }).click();
  await expect(page.getByRole("heading", { name: /^Can read now 1 memory/ })).toBeVisible();
  await page.getByRole("button", { name: "Remove access…" }).click();
  const question = page.getByRole("dialog", { name: "Remove the access of Quill?" });
  await expect(question).toContainText("1 grant, interests until");
  await expect(question.getByRole("button", { name: "Keep it" })).toBeFocused();
  await question.getByRole("button", { name: "Remove access" }).click();
  await expect(page.getByText("Access removed:").first()).toBeVisible();

  expect(await refusal(client.getProfile({ did, scopes }))).toMatchObject({
    status: 403,
    code: "PROF004",
  });
  expect(JSON.stringify((await client.getProfile({ did })).data)).not.toContain(kept);
});
