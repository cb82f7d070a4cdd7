import { type LimitClass, limitClasses } from "@/lib/protocol/endpoints";
import { randomNonce } from "@/lib/protocol/signature";
import type { Check } from "../../check";
import { claim, faulted, refused } from "../../expect";
import type { Kit, Outgoing, Reply } from "../../kit";
import { profilePath, reviewPath } from "../../state";

const inTable = new Set<LimitClass>(["profile", "access", "propose", "review"]);

const sizes = Object.entries(limitClasses).map(
  ([name, limit]): Check => ({
    id: `limits.size.${name}`,
    sentence: `X-RateLimit-Limit of the ${name} endpoint is ${limit} an hour.`,
    cites: inTable.has(name as LimitClass)
      ? "Spec, Limits, the table"
      : "Protocol 7, List Memories and List Proposals",
    needs: ["defaultLimits"],
    run: async (kit) => {
      const reply = counted(kit, "agent").findLast(({ limitClass }) => limitClass === name);
      const found = reply ?? (await kit.call(cheapest(kit, name as LimitClass)));
      claim(limitOf(found) === limit, `X-RateLimit-Limit is ${limitOf(found)}`, found);
    },
  }),
);

export const limits: Check[] = [
  ...sizes,
  {
    id: "limits.counts-down",
    sentence: "Each request takes one of what remains.",
    cites: "Spec, Limits 2",
    run: async (kit) => {
      const [first, second] = [await list(kit), await list(kit)];
      claim(remaining(second) === remaining(first) - 1, fell(first, second));
    },
  },
  {
    id: "limits.invalid-counts",
    sentence: "A request that fails after authentication counts.",
    cites: "Protocol 7, Limits",
    run: async (kit) => {
      const first = await list(kit);
      faulted(await list(kit, { target: profilePath(kit, "/proposals?status=x") }));
      const second = await list(kit);
      claim(remaining(second) === remaining(first) - 2, fell(first, second));
    },
  },
  {
    id: "limits.unauthenticated-does-not-count",
    sentence: "A request that fails authentication is not charged to the DID it claims.",
    cites: "Protocol 7, Limits",
    run: async (kit) => {
      const first = await list(kit);
      const text = (canonical: string) => `${canonical}.`;
      refused(await list(kit, { signed: { text } }), "PROF001");
      refused(await list(kit, { signed: { ts: "2020-01-01T00:00:00Z" } }), "PROF007");
      const second = await list(kit);
      claim(remaining(second) === remaining(first) - 1, fell(first, second));
    },
  },
  {
    id: "limits.replay-does-not-count",
    sentence: "A reused nonce is not charged to the DID either.",
    cites: "Protocol 7, Limits",
    run: async (kit) => {
      const signed = { nonce: randomNonce() };
      const first = await list(kit, { signed });
      refused(await list(kit, { signed }), "PROF008");
      const second = await list(kit);
      claim(remaining(second) === remaining(first) - 1, fell(first, second));
    },
  },
  {
    id: "limits.per-endpoint",
    sentence: "Each endpoint has its own count.",
    cites: "Spec, Limits, the table",
    run: async (kit) => {
      const first = await list(kit);
      await kit.call({ target: profilePath(kit, "/memories?limit=1") });
      const second = await list(kit);
      claim(remaining(second) === remaining(first) - 1, fell(first, second));
    },
  },
  {
    id: "limits.per-caller",
    sentence: "Each caller has its own count.",
    cites: "Protocol 7, Counted per caller",
    needs: ["userKey"],
    run: async (kit) => {
      const first = await list(kit);
      await list(kit, { as: "user" });
      const second = await list(kit);
      claim(remaining(second) === remaining(first) - 1, fell(first, second));
    },
  },
  {
    id: "limits.reset",
    sentence: "X-RateLimit-Reset lies within the coming hour, in Unix seconds.",
    cites: "Protocol 7, Every response",
    run: async (kit) => {
      const reply = await list(kit);
      const seconds = Number(reply.headers["x-ratelimit-reset"]) - Date.now() / 1_000;
      claim(
        seconds > -60 && seconds <= 3_660,
        `X-RateLimit-Reset is ${Math.round(seconds)} s ahead`,
      );
    },
  },
  {
    id: "limits.reached",
    sentence: "Beyond the limit every request is 429 PROF005 with Retry-After.",
    cites: "Spec, Limits 1; Protocol 7, 429 also Retry-After",
    needs: ["exhaust"],
    run: async (kit) => {
      const action = { method: "POST", target: reviewPath(kit), body: { action: "none" } };
      let reply = await kit.call(action);
      for (let left = remaining(reply); left > 0; left--) {
        reply = await kit.call(action);
        faulted(reply);
      }
      claim(remaining(reply) === 0, "requests remain after the last one", reply);
      const beyond = await kit.call(action);
      refused(beyond, "PROF005");
      claim(Number(beyond.headers["retry-after"]) > 0, "Retry-After is missing", beyond);
      claim(remaining(beyond) === 0, "X-RateLimit-Remaining is not 0", beyond);
    },
  },
];

function list(kit: Kit, more: Partial<Outgoing> = {}): Promise<Reply> {
  return kit.call({ target: profilePath(kit, "/proposals?limit=1"), ...more });
}

/** Answers whose headers tell the caller's own standing. */
function counted(kit: Kit, as: Reply["as"]): Reply[] {
  return kit.replies.filter(
    (reply) => reply.as === as && reply.status !== 401 && reply.status < 405,
  );
}

// Invalid on purpose: nothing is stored to learn a header.
function cheapest(kit: Kit, limitClass: LimitClass): Outgoing {
  switch (limitClass) {
    case "profile":
      return { target: profilePath(kit) };
    case "memories":
    case "proposals":
      return { target: profilePath(kit, `/${limitClass}?limit=1`) };
    case "access":
      return { method: "POST", target: profilePath(kit, "/access"), body: {} };
    case "propose":
      return { method: "POST", target: profilePath(kit, "/memories/propose"), body: {} };
    case "review":
      return { method: "POST", target: reviewPath(kit), body: {} };
  }
}

function limitOf({ headers }: Reply): number {
  return Number(headers["x-ratelimit-limit"]);
}

function remaining({ headers }: Reply): number {
  return Number(headers["x-ratelimit-remaining"] ?? Number.NaN);
}

function fell(first: Reply, second: Reply): string {
  return `X-RateLimit-Remaining went from ${remaining(first)} to ${remaining(second)}`;
}
