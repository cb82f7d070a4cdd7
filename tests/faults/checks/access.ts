import { type Call, limitWindowMs } from "../ledger";
import { groupBy, type Invariant, isAcknowledged } from "./evidence";
import { type Span, standInsOf } from "./stand-ins";

// Who got in: once for each nonce, no more often than the limit, and only with a grant.

export const noncesWorkOnce: Invariant = {
  name: "no nonce of a caller was accepted twice",
  breaches({ calls, stored }) {
    const uses = groupBy(calls, ({ caller, nonce }) => (nonce ? `${caller} ${nonce}` : undefined));
    const heard = [...uses].map(([, all]) => all.filter(wasLetIn));
    // Nobody says the same with another nonce: so this shows it too where an answer was lost.
    const written = groupBy(stored.proposals, ({ agent, content }) => `${agent} ${content}`);
    return [...heard, ...written.values()]
      .filter((all) => all.length > 1)
      .map((all) => all.map(({ id }) => id).join(" and "));
  },
};

// Refused credentials are 401, limits 429; whatever else was answered had been let in.
function wasLetIn({ outcome: { status } }: Call): boolean {
  return status !== null && status < 500 && status !== 401 && status !== 429;
}

/** In its log a gateway tells when its limiter is lost and when it is back. */
export const limitsHold: Invariant = {
  name: "no limit of a rolling hour was exceeded",
  breaches(evidence) {
    const standIns = standInsOf(evidence);
    const groups = groupBy(
      evidence.calls.filter((call) => call.limit !== undefined && wasLetIn(call)),
      ({ caller, verb }) => `${caller} ${verb}`,
    );
    return [...groups].flatMap(([who, all]) => {
      const most = busiestHour(all);
      const allowed = boundOf(all, standIns);
      return most > allowed ? [`${who}: ${most} were let in, ${allowed} may be`] : [];
    });
  },
};

// Protocol 7: while PostgreSQL stands in it counts its own, and where two hours of the clock meet
// Upstash's window lets one more in.
function boundOf(calls: readonly Call[], standIns: readonly Span[]): number {
  const limit = calls[0]?.limit ?? 0;
  const from = calls[0]?.at ?? 0;
  const until = calls.at(-1)?.outcome.at ?? 0;
  const isDouble = standIns.some((span) => span.from < until && span.until > from);
  const meets = Math.floor(from / limitWindowMs) < Math.floor(until / limitWindowMs);
  return limit * (isDouble ? 2 : 1) + (meets ? 1 : 0);
}

function busiestHour(calls: readonly Call[]): number {
  const counts = calls.map(
    ({ at }) => calls.filter((other) => other.at >= at && other.at < at + limitWindowMs).length,
  );
  return Math.max(0, ...counts);
}

export const grantsDecide: Invariant = {
  name: "nothing is accepted after an acknowledged revocation",
  breaches({ calls }) {
    return calls.flatMap((call) => {
      if (call.under === undefined || !isAcknowledged(call)) return [];
      return mayHold(calls, call.under, call) ? [] : [`${call.id} was let in under ${call.under}`];
    });
  },
};

export const canariesStayHidden: Invariant = {
  name: "canaries are seen only by those they are granted to",
  breaches({ calls, world }) {
    const known = new Map(world.canaries.map((canary) => [canary.text, canary]));
    return calls.flatMap((call) =>
      call.outcome.canaries.flatMap((text) => {
        const canary = known.get(text);
        if (canary?.openTo.includes(call.caller)) return [];
        const { access = null } = canary ?? {};
        const isHolder = access !== null && access.caller === call.caller;
        return isHolder && mayHold(calls, access.key, call)
          ? []
          : [`${call.id}: ${call.caller} saw ${text}`];
      }),
    );
  },
};

// What was sent and not answered may still be done this much later.
const underWayMsMax = 20_000;

/**
 * Whether the access may have been there at some instant of the call. Decided by what began after an
 * acknowledgement: what was under way at that moment may still be answered as before.
 */
function mayHold(calls: readonly Call[], key: string, call: Call): boolean {
  const { begins, ends } = changesOf(calls, key);
  const over = ends.findLast((end) => end.outcome.at < call.at);
  return begins.some((begin) => {
    const mayStillCome = begin.outcome.result === "unknown" ? underWayMsMax : 0;
    const isLater = over === undefined || begin.outcome.at + mayStillCome > over.at;
    return isLater && begin.at < call.outcome.at;
  });
}

interface Changes {
  begins: Call[];
  /** Acknowledged ones, in the order of that. */
  ends: Call[];
}

const changes = new WeakMap<readonly Call[], Map<string, Changes>>();

function changesOf(calls: readonly Call[], key: string): Changes {
  let known = changes.get(calls);
  if (known === undefined) {
    known = new Map();
    changes.set(calls, known);
    for (const call of calls) {
      if (call.begins !== undefined && call.outcome.result !== "refused") {
        entry(known, call.begins).begins.push(call);
      }
      if (call.ends !== undefined && isAcknowledged(call)) entry(known, call.ends).ends.push(call);
    }
    for (const { ends } of known.values()) ends.sort((a, b) => a.outcome.at - b.outcome.at);
  }
  return known.get(key) ?? { begins: [], ends: [] };
}

function entry(known: Map<string, Changes>, key: string): Changes {
  const found = known.get(key) ?? { begins: [], ends: [] };
  known.set(key, found);
  return found;
}
