import { AsyncResource } from "node:async_hooks";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isConnectionFailure } from "@/lib/http/reply";
import {
  type AccountLimiter,
  createAccountLimiter,
  createKeyedLimiter,
  LimiterFull,
} from "./keyed-limiter";

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Starts works of one key that end when the gate opens. */
function start(shares: ReturnType<typeof createKeyedLimiter>, count: number, key = "a") {
  const { open, opened } = gate();
  let most = 0;
  let underWay = 0;
  const all = Array.from({ length: count }, (_, nth) =>
    shares.run(key, async () => {
      most = Math.max(most, ++underWay);
      await opened;
      underWay--;
      return nth;
    }),
  );
  return { open, settled: Promise.allSettled(all), most: () => most };
}

test("runs as many at a time as the share allows, and all of them in the end", async () => {
  const shares = createKeyedLimiter({ max: 4 });
  const { open, settled, most } = start(shares, 50);
  open();
  const results = await settled;
  expect(results.map((one) => one.status === "fulfilled" && one.value)).toEqual([
    ...Array(50).keys(),
  ]);
  expect(most()).toBe(4);
});

test("does not let one key wait for another", async () => {
  const shares = createKeyedLimiter({ max: 1 });
  const { open, settled } = start(shares, 3);
  expect(await shares.run("b", async () => "done")).toBe("done");
  open();
  await settled;
});

describe("refuses, as an outage that passes,", () => {
  test("when too many wait already", async () => {
    const shares = createKeyedLimiter({ max: 1, waitingMax: 2 });
    const { open, settled } = start(shares, 4);
    open();
    const refused = (await settled).filter((one) => one.status === "rejected");
    expect(refused.map(({ reason }) => reason)).toEqual([expect.any(LimiterFull)]);
    expect(isConnectionFailure(refused[0]?.reason)).toBe(true);
  });

  test("what has waited for too long, and lets the next run", async () => {
    const shares = createKeyedLimiter({ max: 1, waitMsMax: 10 });
    const { open, settled } = start(shares, 1);
    await expect(shares.run("a", async () => "late")).rejects.toThrow(LimiterFull);
    open();
    await settled;
    expect(await shares.run("a", async () => "next")).toBe("next");
  });
});

test("gives the share of a work that fails to the next", async () => {
  const shares = createKeyedLimiter({ max: 1 });
  const failing = shares.run("a", () => Promise.reject(new Error("canary")));
  const next = shares.run("a", async () => "next");
  await expect(failing).rejects.toThrow("canary");
  expect(await next).toBe("next");
});

test("work inside work of the same key does not wait for itself", async () => {
  const shares = createKeyedLimiter({ max: 1, waitMsMax: 10 });
  const inner = () => shares.run("a", async () => "inner");
  let later: () => Promise<string> = inner;
  const outer = await shares.run("a", async () => {
    later = AsyncResource.bind(inner);
    return inner();
  });
  expect(outer).toBe("inner");
  // Once the outer is over, what it has started takes a share again.
  const { open, settled } = start(shares, 1);
  await expect(later()).rejects.toThrow(LimiterFull);
  open();
  await settled;
});

describe("heavy work of an account", () => {
  test("runs one piece at a time, and those of other accounts go in between", async () => {
    const shares = createAccountLimiter({ max: 2 });
    const ended: string[] = [];
    const { open, opened } = gate();
    const start = (key: string, nth: number) =>
      shares.heavy(key, async () => {
        await opened;
        ended.push(`${key}${nth}`);
      });
    const all = [1, 2, 3].map((nth) => start("a", nth));
    all.push(start("b", 1), start("c", 1));
    open();
    await Promise.all(all);
    expect(ended.indexOf("b1")).toBeLessThan(ended.indexOf("a2"));
    expect(ended.indexOf("c1")).toBeLessThan(ended.indexOf("a3"));
  });

  test("of all accounts together runs as many pieces at a time as one account has shares", async () => {
    const shares = createAccountLimiter({ max: 2 });
    const { open, opened } = gate();
    let underWay = 0;
    let most = 0;
    const all = Array.from({ length: 9 }, (_, nth) =>
      shares.heavy(`account ${nth}`, async () => {
        most = Math.max(most, ++underWay);
        await opened;
        underWay--;
      }),
    );
    open();
    await Promise.all(all);
    expect(most).toBe(2);
  });

  test("of accounts whose last piece was slow keeps nobody else waiting, for a minute", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const shares = createAccountLimiter({ max: 2 });
    const crowd = Array.from({ length: 9 }, (_, nth) => `slow ${nth}`);
    const slowly = async () => void vi.advanceTimersByTime(301);
    for (const account of crowd) await shares.heavy(account, slowly);
    const { open, opened } = gate();
    let underWay = 0;
    const held = crowd.map((account) =>
      shares.heavy(account, async () => {
        underWay++;
        await opened;
      }),
    );
    expect(await shares.heavy("quick", async () => "at once")).toBe("at once");
    expect(underWay).toBe(1);
    open();
    await Promise.all(held);
    vi.advanceTimersByTime(60_000);
    const again = gate();
    underWay = 0;
    const forgotten = crowd.slice(0, 2).map((account) =>
      shares.heavy(account, async () => {
        underWay++;
        await again.opened;
      }),
    );
    await new Promise(setImmediate);
    expect(underWay).toBe(2);
    again.open();
    await Promise.all(forgotten);
  });

  describe("that writes for long", () => {
    const mib = 1024 * 1024;
    const write = (shares: AccountLimiter, account: string, bytes: number) =>
      shares.long({ account, bytes }, async () => "done");

    test.each([2, 3, 4])(
      "of %i accounts runs one large piece at a time, and keeps no smaller one waiting",
      async (count) => {
        const shares = createAccountLimiter({ max: 4 });
        const { open, opened } = gate();
        let underWay = 0;
        let most = 0;
        const large = Array.from({ length: count }, (_, nth) =>
          shares.long({ account: `large ${nth}`, bytes: 44 * mib }, async () => {
            most = Math.max(most, ++underWay);
            await opened;
            underWay--;
          }),
        );
        expect(await write(shares, "small", mib)).toBe("done");
        expect(await write(shares, "ordinary", 2 * mib)).toBe("done");
        open();
        await Promise.all(large);
        expect(most).toBe(1);
      },
    );

    test.each([mib, 4 * mib])(
      "is large for ten minutes once an account has written more than 4 MiB, %i bytes at a time",
      async (bytes) => {
        vi.useFakeTimers({ toFake: ["performance"] });
        onTestFinished(() => void vi.useRealTimers());
        const shares = createAccountLimiter({ max: 4 });
        const { open, opened } = gate();
        const large = shares.long({ account: "large", bytes: 44 * mib }, () => opened);
        for (let sum = bytes; sum <= 4 * mib; sum += bytes) await write(shares, "repeats", bytes);
        let isDone = false;
        const next = write(shares, "repeats", bytes).then(() => {
          isDone = true;
        });
        expect(await write(shares, "other", bytes)).toBe("done");
        expect(isDone).toBe(false);
        vi.advanceTimersByTime(10 * 60_000);
        expect(await write(shares, "repeats", bytes)).toBe("done");
        open();
        await Promise.all([large, next]);
      },
    );
  });

  test("that a lock lets happen once at a time goes in one line, from every caller", async () => {
    const shares = createAccountLimiter({ max: 4 });
    const { open, opened } = gate();
    let most = 0;
    let underWay = 0;
    const all = ["a", "b", "c"].map((account) =>
      shares.run(account, () =>
        shares.single(async () => {
          most = Math.max(most, ++underWay);
          await opened;
          underWay--;
        }),
      ),
    );
    open();
    await Promise.all(all);
    expect(most).toBe(1);
  });

  test("does not wait for itself, and counts as a share of its account", async () => {
    const shares = createAccountLimiter({ max: 1 });
    const inner = () => shares.heavy("a", () => shares.run("a", async () => "inner"));
    expect(await shares.run("a", () => shares.heavy("a", inner))).toBe("inner");
  });
});
