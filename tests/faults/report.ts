import type { Weight } from "./apps";
import { invariants } from "./checks/all";
import { recoveriesOf } from "./checks/answers";
import { type Evidence, groupBy, isAcknowledged } from "./checks/evidence";
import type { Result, Verb } from "./ledger";

export interface Figures {
  date: string;
  minutes: number;
  seed: number;
  requests: number;
  verbs: VerbFigures[];
  faults: number;
  /** Of what changes something. */
  acknowledgedWrites: number;
  /** Acknowledged and not there. */
  lost: number;
  kinds: KindFigures[];
  notRun: string | null;
  weights: Evidence["weights"];
  /** How long the run itself had to wait for the machine, at worst: a busy one is a fault nobody declared. */
  heldUpMs: number;
  /** Of gateways, and repeated. */
  failedStarts: number;
  invariants: { name: string; breaches: number; first: string[] }[];
}

export interface KindFigures {
  kind: string;
  times: number;
  /** Answers of 503, and requests without an answer, while it lasted and until all was well. */
  unavailable: number;
  unanswered: number;
  slowestRecoveryMs: number;
  note: string | null;
}

export interface VerbFigures {
  verb: Verb;
  acknowledged: number;
  refused: number;
  unknown: number;
  p50Ms: number;
  p99Ms: number;
}

const writes: Verb[] = [
  "propose",
  "review",
  "reopen",
  "decideConsent",
  "issueToken",
  "revokeReceipt",
  "revokeToken",
  "revokeAgent",
  "addKey",
  "revokeKey",
];

type About = Pick<Figures, "date" | "minutes" | "seed" | "notRun" | "heldUpMs" | "failedStarts">;

export function figuresOf(evidence: Evidence, about: About): Figures {
  const { calls, faults } = evidence;
  const checked = invariants.map((invariant) => {
    const breaches = invariant.breaches(evidence);
    const first = breaches.slice(0, breachesShown);
    return { name: invariant.name, breaches: breaches.length, first };
  });
  const written = calls.filter((call) => writes.includes(call.verb) && isAcknowledged(call));
  const [proposals, approvals] = checked;
  return {
    ...about,
    requests: calls.length,
    verbs: verbFigures(evidence),
    faults: faults.length,
    acknowledgedWrites: written.length,
    lost: (proposals?.breaches ?? 0) + (approvals?.breaches ?? 0),
    kinds: kindFigures(evidence),
    weights: evidence.weights,
    invariants: checked,
  };
}

function verbFigures({ calls }: Evidence): VerbFigures[] {
  return [...groupBy(calls, ({ verb }) => verb)].map(([verb, all]) => {
    const count = (result: Result) => all.filter(({ outcome }) => outcome.result === result).length;
    const took = all.map(({ at, outcome }) => outcome.at - at).sort((one, other) => one - other);
    return {
      verb: verb as Verb,
      acknowledged: count("acknowledged"),
      refused: count("refused"),
      unknown: count("unknown"),
      p50Ms: Math.round(took[Math.floor(took.length / 2)] ?? 0),
      p99Ms: Math.round(took[Math.floor(took.length * 0.99)] ?? 0),
    };
  });
}

function kindFigures({ calls, faults }: Evidence): KindFigures[] {
  const recoveries = groupBy(recoveriesOf({ calls, faults }), ({ kind }) => kind);
  return [...groupBy(faults, ({ kind }) => kind)].map(([kind, all]) => {
    const failed = calls.filter(({ outcome }) => outcome.result === "unknown");
    const during = failed.filter(({ outcome }) => kindAt(faults, outcome.at) === kind);
    const unanswered = during.filter(({ outcome }) => outcome.status === null).length;
    return {
      kind,
      times: all.length,
      unavailable: during.length - unanswered,
      unanswered,
      slowestRecoveryMs: Math.round(
        Math.max(0, ...(recoveries.get(kind) ?? []).map(({ ms }) => ms)),
      ),
      note: all.findLast(({ note }) => note !== undefined)?.note ?? null,
    };
  });
}

/** What was broken then, or within five seconds before, and nothing else since. */
function kindAt(faults: Evidence["faults"], at: number): string | undefined {
  const last = faults.findLast((fault) => fault.at <= at);
  return last !== undefined && at <= last.until + 5_000 ? last.kind : undefined;
}

const breachesShown = 10;

export function linesOf({ invariants: checked, ...figures }: Figures): string[] {
  return [
    tableOf(figures),
    "",
    ...checked.flatMap(({ name, breaches, first }) => [
      breaches === 0 ? `✓ ${name}` : `✗ ${name}: ${breaches}`,
      ...first.map((breach) => `    ${breach}`),
    ]),
  ];
}

/** In Markdown. */
function tableOf(figures: Omit<Figures, "invariants">): string {
  const { date, minutes, seed, requests, faults, acknowledgedWrites, lost } = figures;
  const { heldUpMs, failedStarts } = figures;
  return [
    `${date}, ${minutes} minutes, seed ${seed}: ${requests} requests, ${faults} faults, ${acknowledgedWrites} acknowledged writes, lost ${lost}. The machine held the run itself up for ${seconds(heldUpMs)} at worst; ${failedStarts} starts of a gateway had to be repeated.`,
    "",
    ...aligned([["Fault", "times", "503", "no answer", "slowest recovery"], ...kindRows(figures)]),
    "",
    ...aligned([
      ["Request", "acknowledged", "refused", "unknown", "p50", "p99"],
      ...figures.verbs.map(({ verb, acknowledged, refused, unknown, p50Ms, p99Ms }) =>
        [verb, acknowledged, refused, unknown, `${p50Ms} ms`, `${p99Ms} ms`].map(String),
      ),
    ]),
    "",
    ...figures.weights.map(
      ({ app, before, after }) =>
        `Gateway ${app} held ${held(before)} at rest before the first fault, ${held(after)} after the last, ${after.upSeconds} seconds after its start.`,
    ),
  ].join("\n");
}

function held({ rssMb, descriptors }: Weight): string {
  return `${rssMb.toFixed(0)} MB and ${descriptors} descriptors`;
}

function kindRows({ kinds, notRun }: Pick<Figures, "kinds" | "notRun">): string[][] {
  const rows = kinds.map(({ kind, times, unavailable, unanswered, slowestRecoveryMs, note }) => {
    const name = note === null ? kind : `${kind} (${note})`;
    return [name, times, unavailable, unanswered, seconds(slowestRecoveryMs)].map(String);
  });
  const left = [`disk full (not run: ${notRun})`, "0", "", "", ""];
  return notRun === null ? rows : [...rows, left];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** As the formatter has tables: words to the left, figures to the right. */
function aligned(rows: string[][]): string[] {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const padded = rows.map((row) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    }),
  );
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [padded[0] ?? [], rule, ...padded.slice(1)].map(line);
}
