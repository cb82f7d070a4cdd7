import type { Usage } from "@/lib/engine/counters/counters";
import type { Engine } from "@/lib/engine/engine";
import type { SettingValues } from "@/lib/engine/env";
import { limitClasses } from "@/lib/protocol/endpoints";
import type { Ctx } from "../../context";

export interface ClassLimit {
  class: string;
  /** Requests an hour, if the agent has no limit of its own. */
  limit: number;
}

export interface NearLimit {
  caller: string;
  /** A user's address, or an agent's name. */
  name: string | null;
  class: string;
  used: number;
  limit: number | null;
}

export interface NearLimits extends Omit<Usage, "callers"> {
  callers: NearLimit[];
}

const countedMax = 5_000;
const listedMax = 20;

export function limitsInForce(values: SettingValues): ClassLimit[] {
  const all = new Map<string, unknown>(Object.entries(values));
  return [...Object.keys(limitClasses), "session", "view", "register"].flatMap((name) => {
    const setting = name === "view" ? "session" : name;
    const limit = all.get(`LIMIT_${setting.toUpperCase()}`);
    return typeof limit === "number" ? [{ class: name, limit }] : [];
  });
}

/** Returns the callers closest to their limits, as reported by the engine that counts. */
export async function nearLimits({ db, now }: Ctx, engine: Engine): Promise<NearLimits> {
  const { callers, ...usage } = await engine.counters.usage({ most: countedMax, at: now });
  const limits = limitsInForce(engine.settings.values());
  const rows = await db.$queryRaw<
    NearLimit[]
  >`SELECT h.caller, h.class, h.used, coalesce(u.email, a.name) AS name,
       coalesce((a.limits->>h.class)::int, l.limit) AS limit
     FROM jsonb_to_recordset(${JSON.stringify(callers)}::jsonb) AS h(caller text, class text, used int)
     LEFT JOIN jsonb_to_recordset(${JSON.stringify(limits)}::jsonb) AS l(class text, "limit" int) ON l.class = h.class
     LEFT JOIN "Agent" a ON a.did = h.caller LEFT JOIN "User" u ON 'user:' || u.id = h.caller
     ORDER BY h.used::float8 / nullif(coalesce((a.limits->>h.class)::int, l.limit), 0) DESC NULLS LAST,
       h.used DESC, h.caller, h.class LIMIT ${listedMax}`;
  return { ...usage, callers: rows };
}
