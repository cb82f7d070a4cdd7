import { describe, expect, test } from "vitest";
import { gather } from "./gathered";

interface Call {
  batch: string[];
  answer: () => void;
  refuse: (error: Error) => void;
}

/** A gathering whose calls are answered by hand; each answer is what was asked, in capitals. */
function byHand(batchMax?: number) {
  const calls: Call[] = [];
  const ask = gather(
    (batch: string[]) =>
      new Promise<string[]>((resolve, reject) => {
        const answer = () => resolve(batch.map((word) => word.toUpperCase()));
        calls.push({ batch, answer, refuse: reject });
      }),
    batchMax,
  );
  return { ask, calls, batches: () => calls.map(({ batch }) => batch) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

const refusal = (code: string) => Object.assign(new Error(code), { code });

describe("those who ask at once", () => {
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

test("who comes while two calls are under way waits for the next, with everybody else", async () => {
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
  test.each(["22P05", "23505", "40P01", "55P03", "57014"])(
    "with %s for one of them is asked for each alone, and only that one fails",
    async (code) => {
      const { ask, calls, batches } = byHand();
      const answers = Promise.allSettled(["a", "bad", "c"].map(ask));
      await turn();
      calls[0]?.refuse(refusal(code));
      await turn();
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
    await turn();
    const later = ["x", "y"].map(async (word) => ask(word));
    await turn();
    expect(batches().at(-1)).toEqual(["x", "y"]);
    for (const { answer } of calls) answer();
    expect(await Promise.all(later)).toEqual(["X", "Y"]);
    expect(await held).toEqual(["HELD", "B"]);
  });

  test("because the database is gone fails for all, and is not tried again", async () => {
    const { ask, calls } = byHand();
    const answers = Promise.allSettled(["a", "b"].map(ask));
    await turn();
    calls[0]?.refuse(refusal("ECONNRESET"));
    expect(await answers).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
    expect(calls).toHaveLength(1);
  });
});
