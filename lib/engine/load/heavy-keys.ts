import { createKeyedLimiter, type Lines } from "./keyed-limiter";

/** Decides which answers are heavy, and which key they belong to. */
export interface HeavyKeys<Question, Answer> {
  keyOf: (question: Question) => string | number;
  isMuch: (answer: Answer) => boolean;
}

type Ask<Question, Answer> = (question: Question) => Promise<Answer>;

// A forgotten key starts like any other, and returns with its next answer.
const keysMax = 1_000;
// As long as a client would wait.
const waitMsMax = 10_000;

/** Runs one question per key at a time. */
export function createLines(): Lines {
  return createKeyedLimiter({ max: 1, waitMsMax });
}

/**
 * Calls `together`, or `alone` and one at a time for keys with a heavy answer or with a line. Heavy results get
 * a turn of the event loop of their own.
 */
export function separateHeavyKeys<Question, Answer>(
  { together, alone }: Record<"together" | "alone", Ask<Question, Answer>>,
  { keyOf, isMuch }: HeavyKeys<Question, Answer>,
  lines = createLines(),
): Ask<Question, Answer> {
  const keys = new Set<string | number>();

  async function give(key: string | number, asking: Promise<Answer>): Promise<Answer> {
    const answer = await asking;
    if (!isMuch(answer)) return answer;
    keys.delete(key);
    keys.add(key);
    const [oldest] = keys;
    if (keys.size > keysMax && oldest !== undefined) keys.delete(oldest);
    await nextTurn();
    return answer;
  }

  return (question) => {
    const key = keyOf(question);
    if (!keys.has(key) && !lines.isBusy(key)) return give(key, together(question));
    return lines.run(key, () => give(key, alone(question)));
  };
}

let last = Promise.resolve();

/** Resolves in the next turn, after everything that has arrived by then. */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
