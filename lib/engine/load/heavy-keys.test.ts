import { beforeEach, describe, expect, test } from "vitest";
import { separateHeavyKeys } from "./heavy-keys";

interface Question {
  key: string;
  length: number;
}

/** Answers at once, unless `held` has to end first; what is longer than 10 is much. */
function asking(held: Promise<void> = Promise.resolve()) {
  const together: Question[] = [];
  const alone: Question[] = [];
  const answerTo = (list: Question[], until?: Promise<void>) => async (question: Question) => {
    list.push(question);
    await until;
    return question.length;
  };
  const ask = separateHeavyKeys(
    { together: answerTo(together), alone: answerTo(alone, held) },
    { keyOf: ({ key }) => key, isMuch: (length) => length > 10 },
  );
  return { ask, together, alone };
}

const much = { key: "a", length: 11 };
const little = { key: "b", length: 10 };

describe("a heavy key", () => {
  let turn = 0;
  let ticking: NodeJS.Immediate;

  beforeEach(() => {
    const tick = () => {
      turn++;
      ticking = setImmediate(tick);
    };
    tick();
    return () => clearImmediate(ticking);
  });

  const turnsOf = (answers: Promise<unknown>[]) =>
    Promise.all(answers.map((answer) => answer.then(() => turn)));

  test("is given in a turn of the event loop of its own, from every caller", async () => {
    const [one, other] = [asking(), asking()];
    const keys = ["a", "b", "c", "d"];
    const answers = keys.flatMap((key) => [one, other].map(({ ask }) => ask({ ...much, key })));
    const turns = await turnsOf(answers);
    expect(new Set(turns).size).toBe(answers.length);
  });

  test("leaves the turn that it is in to what is little", async () => {
    const { ask } = asking();
    const before = turn;
    const heavy = turnsOf([ask(much), ask({ ...much, key: "c" })]);
    expect(await turnsOf([ask(little), ask(little), ask(little)])).toEqual([
      before,
      before,
      before,
    ]);
    expect(Math.min(...(await heavy))).toBeGreaterThanOrEqual(before);
  });
});

describe("a key of which an answer was much", () => {
  test("is asked for alone from then on, even where it is little, and no other key is", async () => {
    const { ask, together, alone } = asking();
    await ask(little);
    await ask(much);
    const again = { ...much, length: 1 };
    await Promise.all([ask(again), ask(little)]);
    await ask(again);
    expect(together).toEqual([little, much, little]);
    expect(alone).toEqual([again, again]);
  });

  test("is asked for once at a time, and another key's does not wait for it", async () => {
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { ask, alone } = asking(held);
    const others = { ...much, key: "c" };
    await Promise.all([ask(much), ask(others)]);
    const answers = [much, much, others].map(ask);
    await ask(little);
    expect(alone).toEqual([much, others]);
    end();
    expect(await Promise.all(answers)).toEqual([11, 11, 11]);
    expect(alone).toEqual([much, others, much]);
  });
});
