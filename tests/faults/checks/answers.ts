import type { Span } from "../apps";
import type { Call } from "../ledger";
import { recoveryMsMax } from "../plan";
import type { Evidence, Invariant } from "./evidence";
import { standInsOf } from "./stand-ins";

// What clients hear while something is broken, and how soon they do not any more.

export const onlyDeclaredFaultsShow: Invariant = {
  name: "no 5xx outside a fault; inside only 503 with Retry-After and the envelope",
  breaches({ calls, faults }) {
    return calls.flatMap((call) => {
      const { status, code, wellRefused } = call.outcome;
      if (status === null || status < 500) return [];
      const words = `${call.id}: ${call.verb} was answered ${status} ${code ?? ""}`;
      const excused = faults.find(
        (fault) => fault.excuse === "unavailable" && explains(fault, call),
      );
      if (excused === undefined) return [`${words} outside a fault`];
      if (status !== 503) return [`${words} in ${excused.kind}`];
      return wellRefused ? [] : [`${words} without Retry-After or envelope, in ${excused.kind}`];
    });
  },
};

export const everyCallIsAnswered: Invariant = {
  name: "every request is answered, but by a gateway that was ended or besieged",
  breaches({ calls, faults, downs, lost }) {
    const besieged = faults.filter(({ excuse }) => excuse === "unanswered");
    const unanswered = calls.flatMap((call) => {
      if (call.outcome.status !== null) return [];
      const silent = [...besieged, ...downs.filter(({ app }) => app === call.app)];
      return silent.some((span) => explains(span, call))
        ? []
        : [`${call.id}: ${call.verb} had no answer from gateway ${call.app}`];
    });
    return lost === 0 ? unanswered : [...unanswered, `a gateway ended by itself, ${lost} times`];
  },
};

/** The call had not begun too late, nor ended too early. */
function explains(span: Span, { at, outcome }: Call): boolean {
  return span.at <= outcome.at && at <= span.until + recoveryMsMax;
}

export interface Recovery {
  kind: string;
  ms: number;
}

/** How long after each fault's end the last call failed, and the first one succeeded at each gateway. */
export function recoveriesOf({ calls, faults }: Pick<Evidence, "calls" | "faults">): Recovery[] {
  const end = endOf({ calls });
  return faults.map(({ kind, until }, place) => {
    const next = faults[place + 1]?.at ?? end + 1;
    const heard = calls.filter(({ outcome }) => outcome.at > until && outcome.at < next);
    const [failed = [], answered = []] = [true, false].map((fails) =>
      heard.filter(({ outcome }) => (outcome.result === "unknown") === fails),
    );
    const lastFailure = Math.max(until, ...failed.map(({ outcome }) => outcome.at));
    const firsts = [0, 1].map((app) => firstAnswer(answered.filter((call) => call.app === app)));
    // Where the next fault comes at once, nobody can tell whether a gateway would have answered.
    const isLong = next - until > recoveryMsMax;
    const known = firsts.filter((at) => isLong || Number.isFinite(at));
    return { kind, ms: Math.max(lastFailure, ...known) - until };
  });
}

function firstAnswer(calls: readonly Call[]): number {
  return Math.min(...calls.map(({ outcome }) => outcome.at));
}

export const allIsWellSoon: Invariant = {
  name: "all is well 5 seconds after what was broken is back, without a restart",
  breaches(evidence) {
    return [
      ...recoveriesOf(evidence)
        .filter(({ ms }) => ms > recoveryMsMax)
        .map(({ kind, ms }) => `after ${kind} it took ${seconds(ms)}`),
      ...standInsTooLong(evidence).map((ms) => `Redis was back for ${seconds(ms)} and not asked`),
    ];
  },
};

// Nobody notices who counts, so it may take longer: where the machine is busy, the first answers are late too.
const standInMsMax = 20_000;

/** How long PostgreSQL stood in for Redis after that was back, where it was too long. */
function standInsTooLong(evidence: Evidence): number[] {
  const ofRedis = evidence.faults.filter(({ kind }) => kind.startsWith("Redis"));
  const end = endOf(evidence);
  return standInsOf(evidence).flatMap(({ from, until }) => {
    const broken = ofRedis.filter((fault) => fault.at <= until && fault.until >= from);
    const isBack = Math.max(from, ...broken.map((fault) => fault.until));
    const ms = Math.min(until, end) - isBack;
    return ms > standInMsMax ? [ms] : [];
  });
}

function endOf({ calls }: Pick<Evidence, "calls">): number {
  return calls.reduce((last, { outcome }) => Math.max(last, outcome.at), 0);
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : "for ever";
}
