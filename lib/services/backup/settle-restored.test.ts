import { expect, test } from "vitest";
import { shownTransfer } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintAdmin, mintOwner, signedIn } from "@/tests/support/personas";
import { transferProfile } from "../admin/profiles/transfer-profile";
import { answerTransfer } from "../transfers/answer";
import { completeDueTransfers } from "../transfers/complete-due";
import { settleRestored } from "./settle-restored";

const engine = await testEngine();

test("a transfer that its owner may have refused since the backup does not take effect", async () => {
  const [owner, heir] = [await mintOwner(engine), await mintOwner(engine)];
  const { email } = await engine.db.user.findUniqueOrThrow({ where: { id: heir.userId } });
  await transferProfile((await mintAdmin(engine)).ctx, { did: owner.did, email });
  await answerTransfer(signedIn(engine, heir), await shownTransfer(engine, owner.did));
  await settleRestored(engine.db, null);
  engine.setNow(new Date(engine.now().getTime() + 365 * 24 * 60 * 60_000));
  expect(await completeDueTransfers(engine)).toBe(0);
  const { ownerId } = await engine.db.profile.findUniqueOrThrow({ where: { did: owner.did } });
  expect(ownerId).toBe(owner.userId);
});
