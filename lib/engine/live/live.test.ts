import { Pool } from "pg";
import { afterAll, expect, test } from "vitest";
import { cloneDatabase } from "@/tests/support/database";
import { createEngine } from "../engine";
import { loadEnv } from "../env";
import { createLog } from "../log";
import { createLive } from "./live";

// Two instances of one gateway.
const env = loadEnv({ NODE_ENV: "test", DATABASE_URL: await cloneDatabase() });
const here = createEngine(env, createLog({ level: "silent" }));
const there = createEngine(env, createLog({ level: "silent" }));
afterAll(async () => {
  await Promise.all([here.stop(), there.stop()]);
});

type Follow = (typeof here)["live"]["follow"];

/** Follows a profile; each call of `next` answers at the next change. */
function ears(follow: Follow, profileId: number) {
  let heard = 0;
  let taken = 0;
  let wake = () => {};
  let ended = () => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const leave = follow(profileId, {
    changed: () => {
      heard += 1;
      wake();
    },
    ended,
  });
  const next = async () => {
    while (heard <= taken) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    taken = heard;
  };
  return { leave, next, end, count: () => heard };
}

test("an announcement reaches other instances, and only followers of that profile", async () => {
  const one = ears(there.live.follow, 1);
  const other = ears(there.live.follow, 2);
  // Both have had their first look once the connection listens.
  await Promise.all([one.next(), other.next()]);
  here.live.announce(1);
  await one.next();
  here.live.announce(2);
  await other.next();
  expect([one.count(), other.count()]).toEqual([2, 2]);
  one.leave();
  other.leave();
});

test("many changes at once are told in one breath", async () => {
  const one = ears(there.live.follow, 3);
  const last = ears(there.live.follow, 4);
  const before = one.count();
  for (let times = 0; times < 50; times++) here.live.announce(3);
  here.live.announce(4);
  await Promise.all([one.next(), last.next()]);
  expect(one.count() - before).toBe(1);
  one.leave();
  last.leave();
});

test("when the listening connection breaks, another takes its place and everybody has a look", async () => {
  const one = ears(there.live.follow, 5);
  here.live.announce(5);
  await one.next();
  const { rowCount } = await here.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'gateway live' AND datname = current_database()`,
  );
  expect(rowCount).toBe(1);
  await one.next();
  here.live.announce(5);
  await one.next();
  one.leave();
});

test("an unsubscribed listener gets nothing", async () => {
  const gone = ears(there.live.follow, 6);
  gone.leave();
  const still = ears(there.live.follow, 6);
  here.live.announce(6);
  await still.next();
  expect(gone.count()).toBe(0);
  still.leave();
});

test("a stop ends all followers, and a gateway without followers stops, too", async () => {
  const stopping = createEngine(env, createLog({ level: "silent" }));
  const all = [ears(stopping.live.follow, 7), ears(stopping.live.follow, 8)];
  await stopping.stop();
  await Promise.all(all.map(({ end }) => end));
  await createEngine(env, createLog({ level: "silent" })).stop();
});

test("a follower of a stopped gateway is sent away, and no connection is opened", async () => {
  const url = "postgresql://nobody@127.0.0.1:1/nowhere";
  const pool = new Pool({ connectionString: url });
  const live = createLive({ url, pool, log: createLog({ level: "silent" }) });
  await live.stop();
  const news = await new Promise((resolve) => {
    live.follow(1, { changed: () => resolve("changed"), ended: () => resolve("ended") });
  });
  expect(news).toBe("ended");
  await pool.end();
});
