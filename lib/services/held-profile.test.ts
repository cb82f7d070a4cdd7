import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { asGatewayError } from "@/lib/http/reply";
import { testEngine } from "@/lib/testing/harness";
import { mintOwner, signedIn } from "@/lib/testing/personas";
import { listTokens } from "./tokens/list-tokens";
import { revokeToken } from "./tokens/tokens";

const engine = await testEngine();
const [owner, other] = [await mintOwner(engine), await mintOwner(engine)];
const ctx = signedIn(engine, owner);
const elsewhere = signedIn(engine, other);

test("60 changes of a profile whose row is held keep 4 connections, and nobody else waits", async () => {
  // Some connections are there before: opening one is not what is measured.
  await Promise.all(Array.from({ length: 20 }, () => engine.pool.query("SELECT pg_sleep(0.05)")));
  const holder = await engine.pool.connect();
  await holder.query("BEGIN");
  await holder.query(`SELECT FROM "Profile" WHERE id = $1 FOR UPDATE`, [owner.profileId]);
  const asked = { did: owner.did, tokenId: "none" };
  const waiting = Array.from({ length: 60 }, () =>
    revokeToken(ctx, asked).catch((error: unknown) => asGatewayError(error)),
  );
  const blocked = async () => {
    const { rows } = await engine.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  };
  await expect.poll(blocked, { interval: 10 }).toBe(4);
  for (let turn = 0; turn < 20; turn++) {
    const began = performance.now();
    expect(await listTokens(elsewhere, { did: other.did, limit: 10 })).toMatchObject({
      tokens: [],
    });
    expect(performance.now() - began).toBeLessThan(500);
    expect(await blocked()).toBeLessThanOrEqual(4);
  }
  // The first to wait for the row are refused after four seconds, and may come back.
  const first = await Promise.race(waiting);
  expect(first).toMatchObject({ code: "PROF503", headers: { "Retry-After": "5" } });
  holder.release(true);
  const codes = (await Promise.all(waiting)).map((one) => Reflect.get(one, "code"));
  expect(new Set(codes)).toEqual(new Set(["PROF503", "PROF003"]));
});
