import { type Acknowledged, listenTo, nothingAcknowledged } from "./acknowledged";
import { caseOf } from "./cases/all";
import { isCut, judge } from "./judge";
import { bytesOf, type Draft, type World } from "./message";
import { openLine } from "./wire";

export interface Finding {
  number: number;
  kind: string;
  faults: string[];
  sent: Buffer;
  heard: string;
}

export interface Figures {
  requests: number;
  statuses: Map<number | "none", number>;
  kinds: Map<string, number>;
  slowest: { ms: number; number: number; kind: string };
  /** Answers that took more than 2 s, and did not when asked for again. */
  stalls: number;
  seconds: number;
  findings: Finding[];
  acknowledged: Acknowledged;
}

export interface Fuzzing {
  world: World;
  seed: number;
  /** The first number of a request, and how many follow. */
  from: number;
  count: number;
  lines: number;
  progress?: (done: number) => void;
}

const findingsMax = 20;
const triesMax = 3;

export async function fuzz(fuzzing: Fuzzing): Promise<Figures> {
  const { from, count, lines } = fuzzing;
  const began = performance.now();
  const figures: Figures = {
    requests: 0,
    statuses: new Map(),
    kinds: new Map(),
    slowest: { ms: 0, number: 0, kind: "" },
    stalls: 0,
    seconds: 0,
    findings: [],
    acknowledged: nothingAcknowledged(),
  };
  let next = from;
  const take = () => {
    const isEnough = figures.findings.length >= findingsMax;
    return next < from + count && !isEnough ? next++ : null;
  };
  await Promise.all(Array.from({ length: lines }, () => runLine(fuzzing, figures, take)));
  figures.seconds = (performance.now() - began) / 1_000;
  return figures;
}

async function runLine(fuzzing: Fuzzing, figures: Figures, take: () => number | null) {
  const line = openLine(fuzzing.world.host, fuzzing.world.port);
  for (let number = take(); number !== null; number = take()) {
    await runCase(fuzzing, figures, { line, number });
    if (figures.requests % 10_000 === 0) fuzzing.progress?.(figures.requests);
  }
  line.close();
}

type Turn = { line: ReturnType<typeof openLine>; number: number };

async function runCase(fuzzing: Fuzzing, figures: Figures, turn: Turn) {
  const { world, seed } = fuzzing;
  const { number } = turn;
  const draft = caseOf(world, seed, number);
  const { bytes, heard } = await ask(fuzzing, figures, { ...turn, draft });
  const [answer] = heard.answers;
  const { kind } = draft;
  figures.requests += 1;
  count(figures.statuses, answer?.status ?? "none");
  count(figures.kinds, kind);
  if (heard.ms > figures.slowest.ms) figures.slowest = { ms: heard.ms, number, kind };
  const faults = judge(world, draft, bytes, heard);
  if (faults.length === 0) return;
  const text = answer === undefined ? "" : `HTTP ${answer.status} ${answer.body}`;
  figures.findings.push({ number, kind, faults, sent: bytes, heard: text });
}

// A machine that does other work may stall for once; a request that hangs hangs again.
async function ask({ world }: Fuzzing, figures: Figures, { line, draft }: Turn & { draft: Draft }) {
  const isHead = draft.method === "HEAD";
  for (let more = triesMax - 1; ; more--) {
    const bytes = bytesOf(world, draft);
    const heard = draft.once
      ? await line.askOnce(bytes, isHead, isCut(draft, bytes))
      : await line.ask(bytes, isHead);
    for (const one of heard.answers) listenTo(figures.acknowledged, world, one);
    if (!heard.isLate || more === 0) return { bytes, heard };
    figures.stalls += 1;
  }
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
