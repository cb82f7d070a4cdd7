import { expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { eventsOf, mintAdmin, mintOwner, personOf, signedIn } from "@/tests/support/personas";
import { resetPassword } from "../accounts/reset-password";
import { issueResetLink } from "../admin/users/links";
import { contextOf } from "../context";
import { dismissResetLink, loadNotices } from "./account-notices";

const engine = await testEngine();
const root = await mintAdmin(engine);

test("a reset link is shown to its user until they dismiss it, used or not, by an admin or a shell", async () => {
  for (const admin of [root.ctx, contextOf(engine, { kind: "shell" })]) {
    for (const isUsed of [false, true]) {
      const owner = await mintOwner(engine);
      const ctx = signedIn(engine, owner);
      expect((await loadNotices(ctx)).resetLinkMadeAt).toBe(null);
      const { token } = await issueResetLink(admin, owner.userId);
      if (isUsed) await resetPassword(ctx, { token, passwordHash: "x", keep: null });
      expect((await loadNotices(ctx)).resetLinkMadeAt).toEqual(admin.now);
      const verbs = (await eventsOf(engine, owner.profileId)).map(({ verb }) => verb);
      expect(verbs.sort()).toEqual(
        isUsed ? ["issueResetLink", "resetPassword"] : ["issueResetLink"],
      );
    }
  }
});

test("a reset link that is used after its notice was dismissed is shown again", async () => {
  const owner = await mintOwner(engine);
  const { token } = await issueResetLink(root.ctx, owner.userId);
  await dismissResetLink(signedIn(engine, owner), root.ctx.now);
  const later = new Date(root.ctx.now.getTime() + 60_000);
  const stranger = { ...contextOf(engine, { kind: "nobody" }), now: later };
  await resetPassword(stranger, { token, passwordHash: "x", keep: null });
  const ctx = contextOf(engine, await personOf(engine, owner));
  expect((await loadNotices(ctx)).resetLinkMadeAt).toEqual(later);
});

test("a dismissed notice stays away; one of a later link is not dismissed with it", async () => {
  const owner = await mintOwner(engine);
  const ctx = signedIn(engine, owner);
  const later = new Date(root.ctx.now.getTime() + 60_000);
  await issueResetLink(root.ctx, owner.userId);
  await issueResetLink({ ...root.ctx, now: later }, owner.userId);
  await dismissResetLink(ctx, root.ctx.now);
  expect((await loadNotices(ctx)).resetLinkMadeAt).toEqual(later);
  await dismissResetLink(ctx, later);
  expect((await loadNotices(ctx)).resetLinkMadeAt).toBe(null);
});

test("notices are for who is signed in", async () => {
  const nobody = contextOf(engine, { kind: "nobody" });
  await expect(loadNotices(nobody)).rejects.toMatchObject({ code: "PROF002" });
  await expect(dismissResetLink(nobody, nobody.now)).rejects.toMatchObject({ code: "PROF002" });
});
