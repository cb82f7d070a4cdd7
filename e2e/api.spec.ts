import { randomUUID } from "node:crypto";
import { agentClient, aliceDid, aliceSignIn } from "./demo";
import { expect, expectSound, test } from "./page-checks";

const { DEMO_URL = "" } = process.env;

/** As /docs/dashboard-api says: the sign-in's own cookie, then the session's. */
async function signIn(password: string): Promise<{ status: number; cookie: string }> {
  const first = await fetch(`${DEMO_URL}/api/auth/csrf`);
  const { csrfToken } = await first.json();
  const { email } = aliceSignIn();
  const answer = await fetch(`${DEMO_URL}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { Cookie: cookiesOf(first) },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  return { status: answer.status, cookie: cookiesOf(answer) };
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

test("A script signs in as documented, lists what waits, and reviews it", async () => {
  const { cookie } = await signIn(aliceSignIn().password);
  const content = `Keeps goats, herd ${randomUUID()}.`;
  const category = "prof:hobbies";
  const input = { did: aliceDid(), category, content, confidence: 0.8 };
  const { proposalId } = (await agentClient("Iris").proposeMemory(input)).data;

  const profiles = await fetch(`${DEMO_URL}/api/profiles`, { headers: { Cookie: cookie } });
  const did = (await profiles.json()).data[0].did;
  expect(did).toBe(aliceDid());
  const proposals = `${DEMO_URL}/api/profiles/${did}/proposals`;
  const list = await fetch(`${proposals}?category=${category}`, { headers: { Cookie: cookie } });
  const { data } = await list.json();
  expect(data.find(({ id }: { id: string }) => id === proposalId)).toMatchObject({ content });

  const review = (headers: Record<string, string>) =>
    fetch(`${proposals}/${proposalId}/review`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ action: "approve" }),
    });
  expect((await review({})).status).toBe(401);
  expect((await review({ Cookie: cookie, Origin: "https://evil.example" })).status).toBe(403);
  const reviewed = await review({ Cookie: cookie });
  expect((await reviewed.json()).data).toMatchObject({ proposalId, status: "approved" });
});

test("A wrong password gives a script no session", async () => {
  const { status, cookie } = await signIn("not the password of anybody");
  expect(status).toBe(401);
  expect(cookie).not.toContain("gateway-session");
  const answer = await fetch(`${DEMO_URL}/api/profiles`, { headers: { Cookie: cookie } });
  expect(answer.status).toBe(401);
});

test("The dashboard's API is documented, apart from the protocol", async ({ page }) => {
  await page.goto("/docs");
  await page.getByRole("link", { name: "Dashboard API" }).first().click();
  await expect(page.getByRole("heading", { name: "Dashboard API", level: 1 })).toBeVisible();
  await expect(page.getByText("It is not part of the protocol")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Revoke a connection token" })).toBeVisible();
  await expectSound(page);
});
