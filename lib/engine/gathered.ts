import { Pool, type PoolClient, type QueryConfig } from "pg";

// What many requests ask of the database at once goes there as one statement: whoever comes while the
// ones before are under way waits for the next. A request that is alone waits for nobody, and what it
// gets is as new as if it had asked for itself.

export interface Gathered<Asked> {
  name: string;
  /** Answers with `place`, which of those that ask a row is for, counted from 1; one row each or none. */
  text: string;
  values: (asked: Asked[]) => unknown[];
}

/** The row of `text` for whoever asks, undefined where there is none. In a transaction each asks alone. */
export function gathered<Asked, Row extends object>(statement: Gathered<Asked>) {
  const queues = new WeakMap<Pool, Ask<Asked, Row>>();
  return async (client: Pool | PoolClient, asked: Asked): Promise<Row | undefined> => {
    if (!(client instanceof Pool)) return (await run<Asked, Row>(client, statement, [asked]))[0];
    const queue =
      queues.get(client) ?? gather((all: Asked[]) => run<Asked, Row>(client, statement, all));
    queues.set(client, queue);
    return queue(asked);
  };
}

type Ask<Asked, Answer> = (asked: Asked) => Promise<Answer | undefined>;

async function run<Asked, Row extends object>(
  client: Pool | PoolClient,
  { name, text, values }: Gathered<Asked>,
  asked: Asked[],
): Promise<(Row | undefined)[]> {
  const query: QueryConfig = { name, text, values: values(asked) };
  const { rows } = await client.query<Row & { place: string }>(query);
  const answers = new Array<Row | undefined>(asked.length);
  for (const { place, ...row } of rows) answers[Number(place) - 1] = row as unknown as Row;
  return answers;
}

const lanesMax = 2;
const gatheredMax = 64;

interface Waiting<Asked, Answer> {
  asked: Asked;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Calls `answerAll` with everybody who has asked since it was called last, at most two at a time. */
export function gather<Asked, Answer>(
  answerAll: (asked: Asked[]) => Promise<Answer[]>,
): (asked: Asked) => Promise<Answer> {
  let waiting: Waiting<Asked, Answer>[] = [];
  let lanes = 0;
  let isDue = false;

  async function serve(party: Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await answerAll(party.map(({ asked }) => asked));
      for (const [index, { resolve }] of party.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // What one of them asked is refused by the database: that must not be the others' failure.
      if (party.length > 1 && isOfTheirMaking(error)) {
        for (const alone of party) await serve([alone]);
      } else {
        for (const { reject } of party) reject(error);
      }
    }
  }

  function start(): void {
    isDue = false;
    while (lanes < lanesMax && waiting.length > 0) {
      const party = waiting.slice(0, gatheredMax);
      waiting = waiting.slice(gatheredMax);
      lanes++;
      serve(party).finally(() => {
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

// Data (22), constraints (23), and a transaction that others stopped (40).
function isOfTheirMaking(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(22|23|40)/.test(String(error.code));
}
