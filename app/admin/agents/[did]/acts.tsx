import { KeyList } from "@/app/dashboard/settings/keys/key-list";
import { type LimitClass, limitClasses } from "@/lib/protocol/endpoints";
import { covers } from "@/lib/protocol/scope";
import type { AgentDetail } from "@/lib/services/admin/agents/list-agents";
import { activeKeysMax } from "@/lib/services/agents/keys";
import { Card } from "../../../_components/card";
import { Field } from "../../../_components/forms/fields/field";
import { LongField } from "../../../_components/forms/fields/long-field";
import { PublicKeyField } from "../../../_components/forms/new-key";
import { counted } from "../../../_components/words/list";
import { AdminAct, type Target } from "../../_parts/admin-act";
import { classTitle } from "../../words/setting";
import { revokeKeyAction } from "../actions";

interface DetailProps {
  target: Target;
  detail: AgentDetail;
}

const verifiedWords = "Rules for verified agents hold for it, on every profile.";
const unverifiedWords =
  "Verified means that you know who runs it. Rules for verified agents then hold for it, on every profile.";

/** Whether the agent is answered at all, and whether policies for verified agents hold for it. */
export function Standing({ target, detail }: DetailProps) {
  const { state, verified } = detail.agent;
  const isNew = state === "pending";
  return (
    <div className="flex flex-col gap-6">
      {state !== "active" && (
        <AdminAct
          {...target}
          intent={isNew ? "approve" : "resume"}
          words={
            isNew
              ? "Its requests are answered from then on; what it sees is for each owner to say."
              : "Its requests are refused everywhere."
          }
          button={isNew ? "Approve" : "Resume"}
          look="primary"
        />
      )}
      <AdminAct
        {...target}
        intent={verified ? "unverify" : "verify"}
        words={verified ? verifiedWords : unverifiedWords}
        button={verified ? "Take the mark away" : "Mark as verified"}
      />
      {state !== "suspended" && (
        <AdminAct
          {...target}
          intent={isNew ? "refuse" : "suspend"}
          words={
            isNew
              ? undefined
              : "Its requests are refused everywhere, and what it proposed is held apart in every inbox until you resume it."
          }
          button={isNew ? "Refuse" : "Suspend everywhere"}
          look="danger"
        >
          <Field
            name="reason"
            label={isNew ? "Why it is refused" : "Why it is suspended"}
            hint="Owners read it on the agent's page, and the other admins in the admin activity."
            maxLength={500}
            autoComplete="off"
          />
        </AdminAct>
      )}
    </div>
  );
}

export function Ceiling({ target, detail }: DetailProps) {
  return (
    <AdminAct
      {...target}
      title="Ceiling"
      intent="setCeiling"
      words={effectOf(detail)}
      button="Set ceiling"
    >
      <LongField
        name="ceiling"
        label="The most that any policy can give it"
        initial={detail.agent.ceiling.join("\n")}
        rows={4}
        spellCheck={false}
        className="font-mono"
        hint="One scope a line. prof:* is no ceiling; an empty field lets it see nothing."
      />
    </AdminAct>
  );
}

// Says how much the ceiling takes away from what users granted.
function effectOf({ agent: { ceiling }, grants }: AgentDetail): string {
  const cut = grants.filter(({ allow }) =>
    allow.some((scope) => !ceiling.some((most) => covers(most, scope))),
  ).length;
  if (grants.length === 0) return "No user has given it anything by name yet.";
  const share = cut === 0 ? "none" : cut.toLocaleString("en");
  return `It cuts ${share} of the ${counted(grants.length, "grant")} that name it.`;
}

export function Limits({ target, detail: { agent } }: DetailProps) {
  const title = "Limits of its own";
  const words = "Requests an hour. An empty field means the gateway's own limit.";
  return (
    <AdminAct {...target} title={title} intent="setLimits" words={words} button="Set limits">
      <div className="grid gap-4 sm:grid-cols-2">
        {Object.keys(limitClasses).map((name) => (
          <Field
            key={name}
            name={name}
            label={classTitle(name)}
            inputMode="numeric"
            initial={agent.limits[name as LimitClass]?.toString()}
            autoComplete="off"
          />
        ))}
      </div>
    </AdminAct>
  );
}

const warning = "What signs with it is refused at once, and this key can never be added again.";

export function Keys({ target, detail, now }: DetailProps & { now: Date }) {
  const { keys, agent } = detail;
  const active = keys.filter(({ revokedAt }) => revokedAt === null).length;
  const revoking = { action: revokeKeyAction, did: agent.did, warning };
  return (
    <Card title="Keys">
      {active === 0 && <p className="text-muted">None is active: it cannot sign anything.</p>}
      <KeyList keys={keys} now={now} revoking={revoking} />
      {active < activeKeysMax && (
        <details className="mt-4">
          <summary className="mb-4 w-fit link">Add a key</summary>
          <AdminAct {...target} intent="addKey" button="Add key">
            <Field name="label" label="What it is for" maxLength={100} required />
            <PublicKeyField
              label="Ed25519 public key"
              hint="As SPKI PEM, JWK, did:key, multibase or base64. It comes from the operator of the agent."
              file="agent-key.pem"
            />
          </AdminAct>
        </details>
      )}
    </Card>
  );
}
