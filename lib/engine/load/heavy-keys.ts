import { createKeyedLimiter, type Lines } from "./keyed-limiter";

/** Which answers are much, and whose they are. */
export interface HeavyKeys<Question, Answer> {
  keyOf: (question: Question) => string | number;
  isMuch: (answer: Answer) => boolean;
}

type Ask<Question, Answer> = (question: Question) => Promise<Answer>;

// A key that leaves the list begins as everybody does, and comes back with its next answer.
const keysMax = 1_000;
// As long as a client would wait.
const waitMsMax = 10_000;

/** Runs one question per key at a time. */
export function createLines(): Lines {
  return createKeyedLimiter({ max: 1, waitMsMax });
}

/**
 * Asks `together`, except for a key of which an answer was much or that has a line: asks these `alone` and one at a
 * time. Returns what is much in a turn of the event loop of its own; all else goes on at once.
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

/** Immediates that are set while others run have the next turn, after what has come in by then. */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}
