import { beforeEach, describe, expect, test, vi } from "vitest";
import { createBatcher } from "./query-batcher";

interface Call {
  batch: string[];
  answer: () => void;
  refuse: (error: Error) => void;
}

/** A gathering whose calls are answered by hand; each answer is what was asked, in capitals. */
function byHand(batchMax?: number, hasRoom?: () => boolean, quickBatchMax?: number) {
  const calls: Call[] = [];
  const ask = createBatcher(
    (batch: string[]) =>
      new Promise<string[]>((resolve, reject) => {
        const answer = () => resolve(batch.map((word) => word.toUpperCase()));
        calls.push({ batch, answer, refuse: reject });
      }),
    { batchMax, hasRoom, quickBatchMax },
  );
  return { ask, calls, batches: () => calls.map(({ batch }) => batch) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function turns(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) await turn();
}

const refusal = (code: string) => Object.assign(new Error(code), { code });

describe("concurrent requests", () => {
  test("are one call, and each gets its own answer", async () => {
    const { ask, calls, batches } = byHand();
    const answers = Promise.all(["a", "b", "c"].map(ask));
    await turn();
    expect(batches()).toEqual([["a", "b", "c"]]);
    calls[0]?.answer();
    expect(await answers).toEqual(["A", "B", "C"]);
  });

  test("are as many calls as it takes, two at a time", async () => {
    const { ask, calls, batches } = byHand(2);
    const answers = Promise.all(["a", "b", "c", "d", "e"].map(ask));
    await turn();
    expect(batches()).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    calls[0]?.answer();
    await turn();
    expect(batches().at(-1)).toEqual(["e"]);
    for (const { answer } of calls) answer();
    expect(await answers).toEqual(["A", "B", "C", "D", "E"]);
  });
});

describe("requests that may be heavy", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    return () => vi.useRealTimers();
  });

  /** Asks for 48 words two at a time, each call answered after `msOf(nth)`: how many words each was for. */
  async function sizes(msOf: (nth: number) => number, count = 48): Promise<number[]> {
    const { ask, calls, batches } = byHand(2, undefined, 8);
    const answers = Promise.all(Array.from({ length: count }, (_, nth) => ask(`${nth}`)));
    for (let nth = 0; nth < batches().length || nth === 0; nth++) {
      await turn();
      vi.advanceTimersByTime(msOf(nth));
      calls[nth]?.answer();
      await turn();
    }
    expect(await answers).toHaveLength(count);
    return batches().map(({ length }) => length);
  }

  test("more go together while answers come quickly", async () => {
    expect(await sizes(() => 10)).toEqual([2, 2, 4, 4, 8, 8, 8, 8, 4]);
  });

  test("as few as ever go together once an answer took long", async () => {
    expect(await sizes((nth) => (nth === 4 ? 60 : 10))).toEqual([2, 2, 4, 4, 8, 8, 2, 2, 4, 4, 8]);
  });

  test("small batches do not raise the maximum", async () => {
    expect(await sizes(() => 10, 1)).toEqual([1]);
    const { ask, calls, batches } = byHand(2, undefined, 8);
    for (const word of ["a", "b", "c"]) {
      const answer = ask(word);
      await turn();
      calls.at(-1)?.answer();
      await answer;
    }
    const answers = Promise.all(["d", "e", "f"].map(ask));
    await turn();
    expect(batches().slice(3)).toEqual([["d", "e"], ["f"]]);
    for (const { answer } of calls) answer();
    expect(await answers).toEqual(["D", "E", "F"]);
  });
});

test("a request during two calls waits for the next one", async () => {
  const { ask, calls, batches } = byHand();
  const first = ask("a");
  await turn();
  const second = ask("b");
  await turn();
  const others = Promise.all([ask("c"), ask("d")]);
  await turn();
  expect(batches()).toEqual([["a"], ["b"]]);
  calls[1]?.answer();
  expect(await second).toBe("B");
  await turn();
  expect(batches().at(-1)).toEqual(["c", "d"]);
  for (const { answer } of calls) answer();
  expect(await first).toBe("A");
  expect(await others).toEqual(["C", "D"]);
});

describe("a call that fails", () => {
  test.each(["22P05", "23505", "40P01", "55P03"])(
    "with %s for one of them is asked for each alone, and only that one fails",
    async (code) => {
      const { ask, calls, batches } = byHand();
      const answers = Promise.allSettled(["a", "bad", "c"].map(ask));
      await turn();
      calls[0]?.refuse(refusal(code));
      await turns(2);
      expect(batches().slice(1)).toEqual([["a"], ["bad"], ["c"]]);
      for (const { batch, answer, refuse } of calls.slice(1)) {
        if (batch.includes("bad")) refuse(refusal(code));
        else answer();
      }
      expect(await answers).toMatchObject([{ value: "A" }, { reason: { code } }, { value: "C" }]);
    },
  );

  test("leaves the others their lane while one that is alone goes on waiting", async () => {
    const { ask, calls, batches } = byHand();
    const held = Promise.all([ask("held"), ask("b")]);
    await turn();
    calls[0]?.refuse(refusal("55P03"));
    await turns(2);
    const later = ["x", "y"].map(async (word) => ask(word));
    await turn();
    expect(batches().at(-1)).toEqual(["x", "y"]);
    for (const { answer } of calls) answer();
    expect(await Promise.all(later)).toEqual(["X", "Y"]);
    expect(await held).toEqual(["HELD", "B"]);
  });

  test("for a held row of one key has no other key wait for it, then or later", async () => {
    const calls: Call[] = [];
    const ask = createBatcher(
      (batch: string[]) =>
        new Promise<string[]>((resolve, reject) => {
          const answer = () => resolve(batch.map((word) => word.toUpperCase()));
          calls.push({ batch, answer, refuse: reject });
        }),
      { much: { keyOf: (word) => word[0] ?? "", isMuch: () => false } },
    );
    const last = () => calls.at(-1)?.batch;
    const held = Array.from({ length: 12 }, (_, nth) => `h${nth}`).map(ask);
    const other = ask("a");
    await turn();
    calls[0]?.refuse(refusal("55P03"));
    await turns(3);
    expect(calls.slice(1).map(({ batch }) => batch)).toEqual([["h0"], ["a"]]);
    calls[2]?.answer();
    expect(await other).toBe("A");
    const later = [ask("h12"), ask("b")];
    await turn();
    expect(last()).toEqual(["b"]);
    calls.at(-1)?.answer();
    expect(await later[1]).toBe("B");
    for (let nth = 0; nth < 13; nth++) {
      expect(last()).toEqual([nth === 0 ? "b" : `h${nth}`]);
      (nth === 0 ? calls[1] : calls.at(-1))?.answer();
      await turns(3);
    }
    expect(await Promise.all([...held, ...later])).toHaveLength(14);
  });

  test("for many of them is asked again for a few at a time, whatever comes behind it", async () => {
    const { ask, calls, batches } = byHand(8);
    const words = Array.from({ length: 16 }, (_, nth) => `${nth}`);
    const answers = Promise.all(words.map(ask));
    await turn();
    for (const { refuse } of calls) refuse(refusal("55P03"));
    await turns(3);
    expect(batches().slice(2)).toEqual([["0"], ["1"], ["2"], ["3"]]);
    for (let nth = 2; nth < 18; nth++) {
      calls[nth]?.answer();
      await turn();
      expect(calls.length).toBeLessThanOrEqual(nth + 5);
    }
    expect(await answers).toEqual(words);
  });

  test.each(["ECONNRESET", "57014"])(
    "with %s, as the database is gone or took too long, fails for all, and is not tried again",
    async (code) => {
      const { ask, calls } = byHand();
      const answers = Promise.allSettled(["a", "b"].map(ask));
      await turn();
      calls[0]?.refuse(refusal(code));
      expect(await answers).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
      await turns(2);
      expect(calls).toHaveLength(1);
    },
  );
});

describe("a call that takes long", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    return () => vi.useRealTimers();
  });

  test("leaves its lane to who waits behind it", async () => {
    const { ask, calls, batches } = byHand(1);
    const answers = Promise.all(["slow", "slower", "a", "b", "c"].map(ask));
    await turn();
    vi.advanceTimersByTime(249);
    expect(batches()).toEqual([["slow"], ["slower"]]);
    vi.advanceTimersByTime(1);
    expect(batches().slice(2)).toEqual([["a"], ["b"]]);
    calls[2]?.answer();
    await turn();
    expect(batches().at(-1)).toEqual(["c"]);
    for (const { answer } of calls) answer();
    expect(await answers).toEqual(["SLOW", "SLOWER", "A", "B", "C"]);
  });

  test("keeps its lane where connections are short: there are two as ever", async () => {
    const { ask, calls, batches } = byHand(1, () => false);
    const answers = Promise.all(["slow", "slower", "a"].map(ask));
    await turn();
    vi.advanceTimersByTime(1_000);
    expect(batches()).toEqual([["slow"], ["slower"]]);
    calls[1]?.answer();
    await turn();
    expect(batches().at(-1)).toEqual(["a"]);
    for (const { answer } of calls) answer();
    expect(await answers).toHaveLength(3);
  });

  test("does so up to six of them, and the lanes are two again afterwards", async () => {
    const { ask, calls, batches } = byHand(1);
    const answers = Promise.all(Array.from({ length: 12 }, (_, nth) => ask(`${nth}`)));
    await turn();
    for (let nth = 0; nth < 9; nth++) vi.advanceTimersByTime(250);
    expect(calls).toHaveLength(6);
    for (const { answer } of calls.slice(0, 6)) answer();
    await turn();
    expect(batches().slice(6)).toEqual([["6"], ["7"]]);
    for (let nth = 6; nth < 12; nth++) {
      calls[nth]?.answer();
      await turn();
    }
    expect(await answers).toHaveLength(12);
  });
});
