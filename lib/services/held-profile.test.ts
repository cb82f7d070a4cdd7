import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { asGatewayError } from "@/lib/http/reply";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveSession, mintAdmin, mintOwner, signedIn } from "@/tests/support/personas";
import { adminsLock } from "./accounts/admins";
import { addProfile } from "./accounts/new-profile";
import { confirmSession, endOtherSessions } from "./accounts/own-sessions";
import { resetPassword } from "./accounts/reset-password";
import { createSecretToken } from "./accounts/secret-token";
import { endSession, issueSession } from "./accounts/sessions";
import { suspendUser } from "./admin/users/change-user";
import { deleteAccount } from "./erasure/delete-account";
import { listTokens } from "./tokens/list-tokens";
import { revokeToken } from "./tokens/tokens";

const engine = await testEngine();
const [owner, other] = [await mintOwner(engine), await mintOwner(engine)];
const ctx = signedIn(engine, owner);
const elsewhere = signedIn(engine, other);

async function blocked(): Promise<number> {
  const { rows } = await engine.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

/** Starts requests while something is held, and finds that so many of them have a connection, and all others go on. */
async function whileHeld(
  hold: { text: string; values: unknown[] },
  requests: (() => Promise<unknown>)[],
  connections: number,
) {
  // Some connections are there before: opening one is not what is measured.
  await Promise.all(Array.from({ length: 20 }, () => engine.pool.query("SELECT pg_sleep(0.05)")));
  const holder = await engine.pool.connect();
  await holder.query("BEGIN");
  await holder.query(hold);
  const waiting = requests.map((request) =>
    request().catch((error: unknown) => asGatewayError(error)),
  );
  const letGo = () => {
    holder.release(true);
    return Promise.all(waiting);
  };
  try {
    await expect.poll(blocked, { interval: 10 }).toBe(connections);
    for (let turn = 0; turn < 20; turn++) {
      const began = performance.now();
      expect(await listTokens(elsewhere, { did: other.did, limit: 10 })).toMatchObject({
        tokens: [],
      });
      expect(performance.now() - began).toBeLessThan(500);
      expect(await blocked()).toBeLessThanOrEqual(connections);
    }
  } catch (error) {
    await letGo();
    throw error;
  }
  return { first: Promise.race(waiting), letGo };
}

const sixty = (request: (nth: number) => Promise<unknown>) =>
  Array.from({ length: 60 }, (_, nth) => () => request(nth));

const rowOf = (table: "Profile" | "User" | "Session", id: string | number) => ({
  text: `SELECT FROM "${table}" WHERE id = $1 FOR UPDATE`,
  values: [id],
});
const codeOf = (done: unknown) => Reflect.get(Object(done), "code");

test("60 changes of a profile whose row is held keep 4 connections, and nobody else waits", async () => {
  const input = { did: owner.did, tokenId: "none" };
  const changes = sixty(() => revokeToken(ctx, input));
  const { first, letGo } = await whileHeld(rowOf("Profile", owner.profileId), changes, 4);
  // The first to wait for the row are refused after four seconds, and may come back.
  expect(await first).toMatchObject({ code: "PROF503", headers: { "Retry-After": "5" } });
  const codes = (await letGo()).map(codeOf);
  expect(new Set(codes)).toEqual(new Set(["PROF503", "PROF003"]));
});

const by = { passwordHash: "checked" };
await engine.db.user.update({ where: { id: owner.userId }, data: by });
const { userId, sessionId } = owner;
const { token, id: sessionToEnd } = await giveSession(engine, owner);
const held: [string, ReturnType<typeof rowOf>, () => Promise<unknown>][] = [
  ["sign-outs", rowOf("Session", sessionToEnd), () => endSession(ctx, token)],
  ["confirmations", rowOf("Session", sessionId), () => confirmSession(ctx, by)],
  ["changes of an account", rowOf("User", userId), () => endOtherSessions(ctx)],
  ["additions to an account", rowOf("User", userId), () => addProfile(ctx, another())],
  ["sign-ins", rowOf("User", userId), () => issueSession(ctx, { userId, by, userAgent: null })],
  ["uses of a link", rowOf("User", userId), () => resetPassword(ctx, reset)],
];

const another = () => ({ namespace: "local", handle: newId("p"), name: "Another" });
const reset = { token: await giveResetLink(), passwordHash: "new", keep: null };

async function giveResetLink() {
  const { email } = await engine.db.user.findUniqueOrThrow({ where: { id: userId } });
  const { token, tokenHash } = createSecretToken();
  const expiresAt = new Date(testNow.getTime() + 60_000);
  const data = {
    tokenHash,
    purpose: "password_reset",
    email,
    expiresAt,
    createdAt: testNow,
  } as const;
  await engine.db.oneTimeLink.create({ data });
  return token;
}

test.each(held)("60 %s whose row is held keep 4 connections", async (_what, row, request) => {
  const { letGo } = await whileHeld(row, sixty(request), 4);
  await letGo();
});

test("changes of who is an admin wait in one line for a single connection", async () => {
  const accounts = await Promise.all([1, 2, 3].map(() => mintOwner(engine)));
  await engine.db.profile.deleteMany({
    where: { id: { in: accounts.map(({ profileId }) => profileId) } },
  });
  const root = await mintAdmin(engine);
  const changes = [
    ...sixty((nth) => suspendUser(root.ctx, accounts[nth % 3]?.userId ?? "")),
    ...accounts.map((account) => () => deleteAccount(signedIn(engine, account))),
  ];
  const admins = { text: "SELECT pg_advisory_xact_lock($1)", values: [adminsLock] };
  const { letGo } = await whileHeld(admins, changes, 1);
  const done = await letGo();
  expect(done.map(codeOf)).not.toContain("PROF503");
});
