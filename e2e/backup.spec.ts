import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { apiOf, rootCookie, userIdOf } from "./admins";
import { ageSignIns, rootSignIn } from "./demo";
import { startGateway } from "./gateway";
import { expect, expectSound, test } from "./page-checks";
import { signUp } from "./people";

const { DEMO_FOLDER = "" } = process.env;
const passphrase = "six otters under a slow bridge";

test("An admin backs up after the right password, and sees how it ended, also in the log", async ({
  page,
}) => {
  const person = await signUp(page, "Keeper");
  const ask = apiOf(await rootCookie());
  await ask("PUT", `/users/${await userIdOf(ask, person.email)}/role`, { role: "admin" });
  await ageSignIns(person.email);

  await page.goto("/admin");
  const health = page.getByRole("region", { name: "Health" });
  await expect(health.getByText("Set BACKUP_URL")).toBeVisible();
  await health.getByRole("link", { name: "Backup" }).click();
  await expect(page.getByText("This gateway has made none yet.")).toBeVisible();
  await expectSound(page);

  await page.getByRole("button", { name: "Back up now" }).click();
  const password = page.getByLabel("Your password");
  await password.fill("not the herons over the estuary");
  await page.getByRole("button", { name: "Confirm and go on" }).click();
  await expect(page.getByText("This is not your password.")).toBeVisible();
  await expect(page.getByText("This gateway has made none yet.")).toBeVisible();
  await password.fill(person.password);
  await page.getByRole("button", { name: "Confirm and go on" }).click();
  await expect(page.getByText("Started: this page shows how it ends.").first()).toBeVisible();
  await expect(page.getByText(/^The last good one was made/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("rowheader", { name: /^gateway-\S+\.tar\.gz$/ })).toBeVisible();
  await expectSound(page);

  await page.goto("/admin/activity");
  await expect(page.getByText(`${person.email} started a backup to`)).toBeVisible();
  await expect(page.getByText(`${person.email} made a backup gateway-`)).toBeVisible();
});

test("A new gateway is filled with a backup by its first link, and its admin signs in", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const kept = await mkdtemp(path.join(tmpdir(), "gateway-e2e-kept-"));
  const settings = { BACKUP_URL: kept };
  await promisify(execFile)(process.execPath, ["server/run.mjs", "server/backup/main.ts"], {
    env: {
      ...{ ...process.env, ...settings, NODE_ENV: "production" },
      ...{ DATA_FOLDER: path.dirname(DEMO_FOLDER), BACKUP_PASSPHRASE: passphrase },
    },
  });
  const stops = [() => rm(kept, { recursive: true })];
  const { address, adminLink = "" } = await startGateway(stops, [], settings);
  try {
    await page.goto(adminLink);
    await page.getByRole("link", { name: "Restore it instead" }).click();
    await expect(page.getByRole("heading", { name: "Restore a backup" })).toBeVisible();
    const [file = ""] = await readdir(kept);
    await expect(page.getByLabel("Backup").locator("option").first()).toHaveAttribute(
      "value",
      file.replace(/\.json$/, ".tar.gz"),
    );
    await expectSound(page);

    const restore = page.getByRole("button", { name: "Restore", exact: true });
    await page.getByLabel("Passphrase").fill("six otters under a fast bridge");
    await restore.click();
    await expect(
      page.getByText(/^The passphrase does not open .* Nothing was changed\.$/),
    ).toBeVisible({ timeout: 60_000 });
    await page.getByLabel("Or a file").fill("/none.tar.gz");
    await restore.click();
    await expect(page.getByText(/^There is no such file: .* Nothing was changed\.$/)).toBeVisible({
      timeout: 60_000,
    });
    await page.getByLabel("Or a file").fill("");
    await page.getByLabel("Passphrase").fill(passphrase);
    await restore.click();
    // No list of what was erased lies beside the backups.
    await expect(page.getByText(/^The backup is restored, and may bring back/)).toBeVisible({
      timeout: 120_000,
    });

    const { email, password } = rootSignIn();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(/\/dashboard$/);
    await page.goto(`${address}/admin/activity`);
    await expect(page.getByText(`restored a backup ${file.slice(0, 28)}.tar.gz`)).toBeVisible();
    await expect(page.getByRole("main")).toContainText("The gateway restored a backup");
    await expect(page.getByText("No list of what was erased or revoked since")).toBeVisible();
    await page.goto(adminLink);
    await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  } finally {
    await page.goto("about:blank");
    for (const stop of stops.reverse()) await stop();
  }
});
