import { randomBytes } from "node:crypto";
import type { Page } from "playwright";

export interface Newcomer {
  handle: string;
  email: string;
  password: string;
}

/** Somebody whom no other test has, signed up and signed in. */
export async function signUp(page: Page): Promise<Newcomer> {
  const handle = `n${randomBytes(6).toString("hex")}`;
  const email = `${handle}@example.com`;
  const password = "seven geese cross a frozen field";
  await page.goto("/sign-up");
  await page.getByLabel("Name", { exact: true }).fill("Nell");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Handle").fill(handle);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL(/\/dashboard$/);
  return { handle, email, password };
}

export async function signIn(page: Page, { email, password }: Omit<Newcomer, "handle">) {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
