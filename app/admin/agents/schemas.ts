import { z } from "zod";
import { typedText } from "@/lib/http/session/form-fields";
import { Did, parseDid } from "@/lib/protocol/did";
import { type LimitClass, limitClasses } from "@/lib/protocol/endpoints";
import { text } from "@/lib/protocol/resources";
import { Scope } from "@/lib/protocol/scope";

export const AgentDid = Did.refine((did) => parseDid(did)?.kind === "agent", "Not an agent's DID.");

export const ReasonForm = z.object({
  did: AgentDid,
  intent: z.enum(["refuse", "suspend"]),
  reason: typedText(text({ min: 1, max: 500 })),
});

export const StandingForm = z.object({
  did: AgentDid,
  intent: z.enum(["approve", "resume", "verify", "unverify"]),
});

// People type lists as one scope per line.
export const CeilingForm = z.object({
  did: AgentDid,
  ceiling: z
    .string()
    .max(10_000)
    .transform((typed) => typed.split(/[\s,]+/).filter((scope) => scope !== ""))
    .pipe(z.array(Scope).max(50, "Name at most 50 scopes.")),
});

const classes = Object.keys(limitClasses) as LimitClass[];
const Limit = z
  .string()
  .trim()
  .regex(/^\d{0,8}$/, "Must be a whole number, or empty for the gateway's own limit.")
  .transform((typed) => (typed === "" ? undefined : Number(typed)));

export const LimitsForm = z
  .object({ did: AgentDid, ...Object.fromEntries(classes.map((name) => [name, Limit])) })
  .transform(({ did, ...limits }) => ({ did, limits: limitsIn(limits) }));

function limitsIn(typed: Record<string, unknown>): Partial<Record<LimitClass, number>> {
  const set = classes.flatMap((name) => {
    const value = typed[name];
    return typeof value === "number" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(set);
}

export const DeleteForm = z.object({
  did: AgentDid,
  typed: z.string().trim().max(200),
});
