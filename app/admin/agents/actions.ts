"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { Registration } from "@/app/dashboard/agents/register/registration";
import { PublicKey } from "@/lib/auth/keys/public-key";
import { engine } from "@/lib/engine/engine";
import { act, adminActs, demandTyped, Typed } from "@/lib/http/session/admin";
import { idOf, typedText } from "@/lib/http/session/form-fields";
import { Did, parseDid } from "@/lib/protocol/did";
import { type LimitClass, limitClasses } from "@/lib/protocol/endpoints";
import { text } from "@/lib/protocol/resources";
import { Scope } from "@/lib/protocol/scope";
import * as agents from "@/lib/services/admin/agents/change-agent";
import { addKey, revokeKey } from "@/lib/services/agents/keys";
import { registerAgent } from "@/lib/services/agents/register";
import { agentHref } from "./address";

const AgentDid = Did.refine((did) => parseDid(did)?.kind === "agent", "Not an agent's DID.");
const Agent = z.object({ did: AgentDid });
const asVerified = Agent.transform(({ did }) => ({ did, verified: true as const }));
const WithReason = Agent.extend({ reason: typedText(text({ min: 1, max: 500 })) });
const NewKey = Agent.extend({ label: text({ min: 1, max: 100 }), publicKey: PublicKey });

// People type lists as one scope per line.
const WithCeiling = Agent.extend({
  ceiling: z
    .string()
    .max(10_000)
    .transform((typed) => typed.split(/[\s,]+/).filter((scope) => scope !== ""))
    .pipe(z.array(Scope).max(50, "Name at most 50 scopes.")),
});

const Limit = z
  .string()
  .trim()
  .regex(/^\d{0,8}$/, "Must be a whole number, or empty for the gateway's own limit.")
  .transform((typed) => (typed === "" ? undefined : Number(typed)));
const classes = Object.keys(limitClasses) as LimitClass[];
const WithLimits = z
  .object({ did: AgentDid, ...Object.fromEntries(classes.map((name) => [name, Limit])) })
  .transform(({ did, ...limits }) => ({ did, limits }));

export const agentAction = adminActs({
  approve: act(Agent, agents.approveAgent, "Approved: its requests are answered from now on."),
  approveAndVerify: act(asVerified, agents.approveAgent, "Approved, and marked as verified."),
  resume: act(Agent, agents.resumeAgent, "Resumed: its requests are answered again."),
  verify: act(asVerified, agents.verifyAgent, "Verified: rules for verified agents hold for it."),
  unverify: act(
    Agent,
    (ctx, { did }) => agents.verifyAgent(ctx, { did, verified: false }),
    "Not verified any more: rules for verified agents do not hold for it.",
  ),
  refuse: act(
    WithReason,
    agents.refuseAgent,
    "Refused. It stays known as suspended, so that its name is not taken by another.",
  ),
  suspend: act(WithReason, agents.suspendAgent, "Suspended: every request of it is refused."),
  setCeiling: act(WithCeiling, agents.setCeiling, "The ceiling holds from its next request on."),
  setLimits: act(WithLimits, agents.setLimits, "The limits hold from its next request on."),
  addKey: act(NewKey, async (ctx, key) => {
    await addKey(ctx, key);
    return { message: "Added. It can sign as this agent from now on." };
  }),
  delete: act(Agent.extend({ typed: Typed }), async (ctx, { did, typed }) => {
    demandTyped(typed, did);
    await agents.deleteAgent(ctx, did);
    redirect("/admin/agents?deleted=1");
  }),
});

export const registerAction = act(Registration, async (ctx, input) => {
  const mode = engine().settings.values().AGENT_REGISTRATION;
  const { did } = await registerAgent(ctx, { ...input, mode });
  redirect(agentHref(did));
});

export const revokeKeyAction = act(
  Agent.extend({ keyId: idOf("key", "a key") }),
  revokeKey,
  "Revoked. Its very next signature is refused.",
);
