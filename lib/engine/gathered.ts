import { Pool, type PoolClient } from "pg";

// What many requests ask of the database at once goes there as one statement: whoever comes while the
// ones before are under way waits for the next. A request that is alone waits for nobody, and what it
// gets is as new as if it had asked for itself.

export interface Statement<Asked> {
  name: string;
  /**
   * Answers with `place`, which of those that ask a row is for, counted from 1; one row each or none. It has
   * one plan however many ask: an array is read as `(SELECT $1::text[])`, whose length the planner does not
   * see. Seen, it makes each call look worth a plan of its own, which takes longer than the work.
   */
  text: string;
  values: (batch: Asked[]) => unknown[];
  /** How many go together at most: fewer where each of them is much. */
  batchMax?: number;
}

/** The row of `text` for whoever asks, undefined where there is none. In a transaction each asks alone. */
export function gathered<Asked, Row extends object>(statement: Statement<Asked>) {
  const queues = new WeakMap<Pool, (asked: Asked) => Promise<Row | undefined>>();
  return async (client: Pool | PoolClient, asked: Asked): Promise<Row | undefined> => {
    if (!(client instanceof Pool)) return (await run<Asked, Row>(client, statement, [asked]))[0];
    const queue =
      queues.get(client) ??
      gather((batch: Asked[]) => run<Asked, Row>(client, statement, batch), statement.batchMax);
    queues.set(client, queue);
    return queue(asked);
  };
}

async function run<Asked, Row extends object>(
  client: Pool | PoolClient,
  { name, text, values }: Statement<Asked>,
  batch: Asked[],
): Promise<(Row | undefined)[]> {
  const { rows } = await client.query<Row & { place: string }>({
    name,
    text,
    values: values(batch),
  });
  const answers = new Array<Row | undefined>(batch.length);
  for (const { place, ...row } of rows) answers[Number(place) - 1] = row as unknown as Row;
  return answers;
}

/**
 * How long a statement waits for a lock, for its `set_config('lock_timeout', …, true)`: a row that is held
 * for long must hold up whoever wants that row, and not those who happen to have asked beside them.
 */
export function patience(batch: readonly unknown[]): string {
  return batch.length > 1 ? "200ms" : "0";
}

const lanesMax = 2;

interface Waiting<Asked, Answer> {
  asked: Asked;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Calls `answerAll` with everybody who has asked since it was called last, at most two at a time. */
export function gather<Asked, Answer>(
  answerAll: (batch: Asked[]) => Promise<Answer[]>,
  batchMax = 64,
): (asked: Asked) => Promise<Answer> {
  const waiting: Waiting<Asked, Answer>[] = [];
  let lanes = 0;
  let isDue = false;

  async function serve(batch: Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await answerAll(batch.map(({ asked }) => asked));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // What is wrong with one of them must be nobody else's failure. Each by itself, beside the lanes.
      if (batch.length > 1 && isOneOfThem(error)) for (const alone of batch) void serve([alone]);
      else for (const { reject } of batch) reject(error);
    }
  }

  function start(): void {
    isDue = false;
    while (lanes < lanesMax && waiting.length > 0) {
      lanes++;
      serve(waiting.splice(0, batchMax)).finally(() => {
        lanes--;
        start();
      });
    }
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      if (isDue) return;
      isDue = true;
      // After all that has come in by now has been read.
      setImmediate(start);
    });
}

// Data (22), constraints (23), a deadlock or conflict (40), a lock that is held (55P03), and what took too
// long (57014): nothing of the batch was done.
function isOneOfThem(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    /^(22|23|40|55P03$|57014$)/.test(String(error.code))
  );
}
