import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { configured, testEngine, testNow } from "@/tests/support/harness";
import { mintAdmin, mintOwner } from "@/tests/support/personas";
import { issueFirstAdminLink } from "../accounts/links";
import { inviteUser } from "../admin/users/links";
import { contextOf } from "../context";
import { findRestorable, restoreFirst } from "./first-restore";

// What is restored is tried in server/restore and in e2e/backup.spec.ts; here, who may.
const scratch = await mkdtemp(path.join(tmpdir(), "gateway-first-restore-"));
afterAll(() => rm(scratch, { recursive: true }));
const kept = path.join(scratch, "kept");
const engine = await testEngine({ BACKUP_URL: kept, DATA_FOLDER: path.join(scratch, "data") });
const nobody = contextOf(engine, { kind: "nobody" });
const file = "gateway-2026-03-01T03-00-00Z.tar.gz";

beforeEach(async () => {
  engine.setNow(testNow);
  await engine.db.oneTimeLink.deleteMany();
  await engine.db.user.deleteMany();
});

async function firstLink(): Promise<string> {
  const link = await issueFirstAdminLink(contextOf(engine, { kind: "gateway" }));
  return link?.token ?? "";
}

function restore(token: string) {
  return restoreFirst(nobody, engine, { token, file, passphrase: null });
}

describe("the link for the first admin", () => {
  test("shows what is kept; without a folder, or with storage that is away, nothing", async () => {
    const token = await firstLink();
    expect(await findRestorable(nobody, engine, token)).toEqual([]);
    const away = configured(engine, { BACKUP_URL: "s3://KEY:SECRET@127.0.0.1:1/bucket?tls=off" });
    expect(await findRestorable(nobody, away, token)).toEqual([]);
    const folder = configured(engine, { BACKUP_URL: scratch });
    await writeFile(path.join(scratch, file), "torn");
    expect(await findRestorable(nobody, folder, token)).toEqual([
      { name: file, bytes: 4, summary: null },
    ]);
  });

  test("that is not known, used or expired -> shows and restores nothing", async () => {
    const [used, expired] = [await firstLink(), await firstLink()];
    await engine.db.oneTimeLink.updateMany({ data: { usedAt: testNow } });
    const late = contextOf(
      { ...engine, now: () => new Date(testNow.getTime() + 3_600_000) },
      { kind: "nobody" },
    );
    const fresh = await firstLink();
    for (const [ctx, token] of [
      [nobody, "x".repeat(43)],
      [nobody, used],
      [nobody, expired],
      [late, fresh],
    ] as const) {
      expect(await findRestorable(ctx, engine, token)).toBeNull();
      await expect(
        restoreFirst(ctx, engine, { token, file, passphrase: null }),
      ).rejects.toMatchObject({ code: "PROF003" });
    }
  });

  test("whose restore leaves a database that is not confirmed -> the gateway stops", async () => {
    const end = vi.spyOn(process, "kill").mockReturnValue(true);
    const name = new URL(engine.env.DATABASE_URL ?? "").pathname.slice(1);
    const comment = (text: string) =>
      engine.pool.query(`COMMENT ON DATABASE "${name}" IS '${text}'`);
    await comment('{"before":"old","confirmed":true}');
    await expect(restore(await firstLink())).rejects.toThrow(
      /no such file.* Nothing was changed\.$/,
    );
    expect(end).not.toHaveBeenCalled();
    await comment('{"before":"old","confirmed":false}');
    await expect(restore(await firstLink())).rejects.toThrow(
      /the gateway stops: start it again\.$/,
    );
    expect([end.mock.calls, process.exitCode]).toEqual([[[process.pid, "SIGTERM"]], 1]);
    process.exitCode = undefined;
    await comment("");
  });

  test("used twice at a time -> the second restore is refused", async () => {
    const token = await firstLink();
    const [one, other] = await Promise.allSettled([restore(token), restore(token)]);
    const reasons = [one, other].map((end) => end.status === "rejected" && String(end.reason));
    expect(reasons.sort()).toEqual([
      expect.stringContaining("Another restore is running: wait for its end."),
      expect.stringContaining("no such file"),
    ]);
  });

  test("beside accounts -> says what to do, and restores nothing", async () => {
    const token = await firstLink();
    await mintOwner(engine);
    await expect(restore(token)).rejects.toThrow(
      "People have accounts here already: stop the gateway, and run npm run restore.",
    );
  });
});

test("another link, as an invitation -> restores nothing", async () => {
  const { ctx } = await mintAdmin(engine);
  const { token } = await inviteUser(ctx, { email: "carol@example.com", role: "admin" });
  expect(await findRestorable(nobody, engine, token)).toBeNull();
  await expect(restore(token)).rejects.toMatchObject({ code: "PROF003" });
});
