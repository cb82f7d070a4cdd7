import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import type { Ctx } from "../context";
import { findCredential, replacePasswordHash, signUp } from "./accounts";

const { db, pool, live, shares, cache } = await testEngine();
const nobody: Ctx = {
  db,
  pool,
  caller: { kind: "nobody" },
  now: testNow,
  requestId: "req_test",
  shares,
  cache,
  announce: live.announce,
};

function newcomer(handle: string) {
  return {
    email: `${handle.toLowerCase()}@example.com`,
    handle,
    name: "Somebody",
    passwordHash: "hash",
    namespace: "local",
    open: true,
  };
}

describe("signing up", () => {
  test("makes a user with one profile that starts balanced", async () => {
    const { userId, did } = await signUp(nobody, newcomer("alice"));
    expect(did).toBe("did:prof:user:local:alice");
    const profiles = await db.profile.findMany({
      where: { ownerId: userId },
      include: { policies: { orderBy: { verifiedOnly: "asc" } } },
    });
    expect(profiles).toHaveLength(1);
    expect(profiles[0]?.policies).toMatchObject([
      { permissions: ["propose"], verifiedOnly: false, origin: "template" },
      { permissions: ["read"], allow: ["prof:preferences"], verifiedOnly: true },
    ]);
    const events = await db.accessEvent.findMany({ where: { profileId: profiles[0]?.id } });
    expect(events).toMatchObject([{ verb: "createProfile", outcome: "ok", requestId: "req_test" }]);
  });

  test("is refused where it is closed", async () => {
    const closed = { ...newcomer("closed"), open: false };
    await expect(signUp(nobody, closed)).rejects.toMatchObject({ code: "PROF002" });
    expect(await findCredential(nobody, closed.email)).toBeNull();
  });

  test("answers a taken address and a taken handle alike, and leaves nothing behind", async () => {
    await signUp(nobody, newcomer("bob"));
    const before = await db.user.count();
    const sameHandle = { ...newcomer("bob"), email: "other@example.com" };
    const sameEmail = { ...newcomer("bob2"), email: "bob@example.com" };
    const refusals = await Promise.all(
      [sameHandle, sameEmail].map((account) =>
        signUp(nobody, account).catch((error) => error.message),
      ),
    );
    expect(refusals[0]).toMatch(/already in use/);
    expect(refusals[1]).toBe(refusals[0]);
    expect(await db.user.count()).toBe(before);
  });

  test("never gives out the identifier of a deleted profile again", async () => {
    const didHash = createHash("sha256").update("did:prof:user:local:gone").digest();
    await db.retiredDid.create({ data: { retiredAt: testNow, didHash: new Uint8Array(didHash) } });
    await expect(signUp(nobody, newcomer("gone"))).rejects.toMatchObject({ code: "PROF006" });
  });

  test("lets one of many at once have a handle", async () => {
    const tries = Array.from({ length: 6 }, (_, index) =>
      signUp(nobody, { ...newcomer("rare"), email: `rare${index}@example.com` }),
    );
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a password at today's cost", () => {
  test("replaces the one it was checked against, and no other", async () => {
    const { userId } = await signUp(nobody, newcomer("carol"));
    await replacePasswordHash(nobody, { userId, from: "hash", to: "better" });
    await replacePasswordHash(nobody, { userId, from: "hash", to: "late" });
    const found = await findCredential(nobody, "carol@example.com");
    expect(found).toEqual({ userId, passwordHash: "better", suspended: false });
  });
});
