import { Pool } from "pg";
import { retryingDeadlock, type Tx } from "./db";
import { createLines, type HeavyKeys, separateHeavyKeys } from "./load/heavy-keys";
import { countLengths, inlineNumbers } from "./load/prepared-text";
import type { Prisma } from "./prisma-client/client";

// Sends concurrent requests to the database as one statement. A request that arrives while statements run waits
// for the next one; a lone request waits for nobody. Every result is as new as if it had been asked for
// separately.

export interface Statement<Input> {
  name: string;
  /**
   * Answers with `place`, the index of the request from 1; at most one row each. It must have one plan for any
   * number of requests: write an array as `(SELECT ${dids}::text[])`, so that the planner does not see its
   * length and plan each call. Numbers are written into the text as constants.
   */
  sql: (batch: Input[]) => Prisma.Sql;
  /** How many go together at most: fewer where each of them may be much. */
  batchMax?: number;
  /** The maximum while answers come quickly, as each is small then. */
  quickBatchMax?: number;
  /** Requests with the same key run alone and one at a time if its row was large or is locked. */
  keyOf?: (input: Input) => string | number;
}

interface Answer<Row> {
  row: Row | undefined;
  /** The length of its texts, before they are parsed. */
  length: number;
}

// As JSON it takes a few milliseconds to read, decide and write.
const lengthMax = 50_000;

/** Returns the batch as JSON for `json_to_recordset`, each with its `place`. */
export function jsonOf(batch: object[]): string {
  return JSON.stringify(batch.map((input, index) => ({ place: index + 1, ...input })));
}

/**
 * Returns the statement's row for one request; undefined if there is none. In a transaction, each request runs
 * alone.
 */
export function batched<Input, Row extends object>(statement: Statement<Input>) {
  const queues = new WeakMap<Pool, (input: Input) => Promise<Answer<Row>>>();
  const { batchMax, quickBatchMax, keyOf } = statement;
  const much = keyOf && { keyOf, isMuch: ({ length }: Answer<Row>) => length > lengthMax };
  return async (client: Pool | Tx, input: Input): Promise<Row | undefined> => {
    if (!(client instanceof Pool)) {
      return (await client.$queryRaw<Row[]>(statement.sql([input])))[0];
    }
    const queue =
      queues.get(client) ??
      createBatcher((batch: Input[]) => run<Input, Row>(client, statement, batch), {
        batchMax,
        quickBatchMax,
        hasRoom: () => isHalfFree(client),
        much,
      });
    queues.set(client, queue);
    return (await queue(input)).row;
  };
}

function isHalfFree({ totalCount, idleCount, options }: Pool): boolean {
  return totalCount - idleCount < options.max / 2;
}

async function run<Input, Row extends object>(
  pool: Pool,
  { name, sql }: Statement<Input>,
  batch: Input[],
): Promise<Answer<Row>[]> {
  const { lengths, ...weighing } = countLengths();
  const { rows } = await pool.query<Row & { place: string }>({
    name,
    ...inlineNumbers(sql(batch)),
    types: weighing,
  });
  const answers = batch.map((): Answer<Row> => ({ row: undefined, length: 0 }));
  for (const [index, { place, ...row }] of rows.entries()) {
    answers[Number(place) - 1] = { row: row as unknown as Row, length: lengths[index] ?? 0 };
  }
  return answers;
}

/**
 * Returns the lock timeout for `set_config('lock_timeout', …, true)`: a held row must delay only its own
 * requests, not the batch they are in. A request alone waits as long as a statement may take.
 */
export function lockTimeoutOf(batch: readonly unknown[]): string {
  return batch.length > 1 ? "200ms" : "0";
}

// Statements of a kind that run at once: batches, and requests that run alone.
const together = { swiftMax: 2, most: 6 };
const alone = { swiftMax: 4, most: 8 };
const swiftMs = 250;
// A batch answered within this time was small.
const quickMs = 50;

interface Waiting<Input, Answer> {
  input: Input;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

type AnswerAll<Input, Answer> = (batch: Input[]) => Promise<Answer[]>;

/** Calls `answerAll` with all requests since the last call; two calls run at a time. */
export function createBatcher<Input, Answer>(
  answerAll: AnswerAll<Input, Answer>,
  {
    batchMax = 64,
    quickBatchMax = batchMax,
    hasRoom = () => true,
    much,
  }: BatcherOptions<Input, Answer> = {},
): (input: Input) => Promise<Answer> {
  const askAlone = createQueue(answerAll, {
    batchMax: 1,
    quickBatchMax: 1,
    lanes: alone,
    hasRoom,
  });
  const lines = createLines();
  const ask = createQueue(answerAll, {
    batchMax,
    quickBatchMax,
    lanes: together,
    hasRoom,
    // An error or a lock of one request must not affect the others of its batch.
    otherwise(one) {
      if (much === undefined) return askAlone(one);
      const key = much.keyOf(one.input);
      lines.run(key, () => inQueue(askAlone)(one.input)).then(one.resolve, one.reject);
    },
  });
  const inQueue = (queue: typeof ask) => (input: Input) =>
    new Promise<Answer>((resolve, reject) => queue({ input, resolve, reject }));
  const join = inQueue(ask);
  return much ? separateHeavyKeys({ together: join, alone: inQueue(askAlone) }, much, lines) : join;
}

interface BatcherOptions<Input, Answer> {
  batchMax?: number;
  quickBatchMax?: number;
  /** Whether there may be more than the usual lanes, while those are slow. */
  hasRoom?: () => boolean;
  /** Answers that are given one by one. */
  much?: HeavyKeys<Input, Answer>;
}

interface QueueOptions<Input, Answer> {
  batchMax: number;
  quickBatchMax: number;
  hasRoom: () => boolean;
  lanes: typeof together;
  /** Handles each request of a batch that failed because of one of them. */
  otherwise?: (one: Waiting<Input, Answer>) => void;
}

function createQueue<Input, Answer>(
  answerAll: AnswerAll<Input, Answer>,
  { batchMax, quickBatchMax, lanes, hasRoom, otherwise }: QueueOptions<Input, Answer>,
): (one: Waiting<Input, Answer>) => void {
  const waiting: Waiting<Input, Answer>[] = [];
  let underWay = 0;
  let swift = 0;
  let isDue = false;
  let batchSize = batchMax;

  async function serve(batch: Waiting<Input, Answer>[]): Promise<void> {
    const began = performance.now();
    try {
      const ask = () => answerAll(batch.map(({ input }) => input));
      const answers = await (batch.length === 1 ? retryingDeadlock(ask) : ask());
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (otherwise !== undefined && batch.length > 1 && isOneOfThem(error)) {
        batch.forEach(otherwise);
      } else for (const { reject } of batch) reject(error);
    }
    if (performance.now() - began > quickMs) batchSize = batchMax;
    else if (batch.length === batchSize) batchSize = Math.min(2 * batchSize, quickBatchMax);
  }

  // A slow statement frees its slot, so that a few large requests do not block the rest.
  function send(batch: Waiting<Input, Answer>[]): void {
    underWay++;
    swift++;
    let isSwift = true;
    const late = setTimeout(() => {
      isSwift = false;
      swift--;
      start();
    }, swiftMs);
    serve(batch).finally(() => {
      clearTimeout(late);
      underWay--;
      if (isSwift) swift--;
      start();
    });
  }

  function isFree(): boolean {
    if (underWay < lanes.swiftMax) return true;
    return swift < lanes.swiftMax && underWay < lanes.most && hasRoom();
  }

  function start(): void {
    isDue = false;
    while (waiting.length > 0 && isFree()) send(waiting.splice(0, batchSize));
  }

  return (one) => {
    waiting.push(one);
    if (isDue) return;
    isDue = true;
    // After all requests that have arrived by now.
    setImmediate(start);
  };
}

// Data (22), constraint (23), deadlock or conflict (40) and lock timeout (55P03): nothing of the batch was
// done. A statement that took too long is not repeated.
function isOneOfThem(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(22|23|40|55P03$)/.test(String(error.code));
}
