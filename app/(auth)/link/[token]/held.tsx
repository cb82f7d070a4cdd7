import { AgentName } from "@/app/_components/shown/agent-name";
import { InertText } from "@/app/_components/shown/inert-text";
import { When } from "@/app/_components/shown/when";
import { categoryWords } from "@/app/_components/words/category";
import { didName } from "@/app/_components/words/did-name";
import { counted, list } from "@/app/_components/words/list";
import { everyAgent } from "@/lib/rules/facts";
import { defaultTemplate, templates } from "@/lib/rules/templates";
import {
  type HeldKey,
  type HeldRule,
  type HeldToken,
  type Holdings,
  nameOf,
} from "@/lib/services/accounts/reset-holdings";

export interface HeldProps {
  holdings: Holdings;
  now: Date;
}

/** Offers to end what reads the person's profiles without a password; nothing where there is none. */
export function Held({ holdings, now }: HeldProps) {
  const { keys, tokens, rules, isCut } = holdings;
  if (keys.length + tokens.length + rules.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">These work without a password</legend>
      <ul className="flex max-h-80 flex-col divide-y divide-line overflow-y-auto rounded-box border border-line">
        {keys.map((key) => (
          <li key={key.id} className="px-3 py-2">
            <Key held={key} now={now} />
          </li>
        ))}
        {tokens.map((token) => (
          <li key={token.id} className="px-3 py-2">
            <Token held={token} now={now} />
          </li>
        ))}
        {rules.map((rule) => (
          <li key={rule.id} className="px-3 py-2">
            <Rule held={rule} />
          </li>
        ))}
      </ul>
      {isCut ? (
        <p className="text-small">
          There are more than can be shown here, so all signing keys and connection tokens end, and
          all rules and grants but those of the template {templates[defaultTemplate].title} are
          switched off. You can switch rules on again afterwards.
        </p>
      ) : (
        <Keeping shown={nameOf(holdings)} />
      )}
    </fieldset>
  );
}

function Keeping({ shown }: { shown: string }) {
  return (
    <>
      <input type="hidden" name="shown" value={shown} />
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          name="revoke"
          defaultChecked
          className="mt-1 size-4 shrink-0 accent-ink"
        />
        <span>
          Revoke all signing keys and connection tokens, and switch off all rules and grants but
          those of the template {templates[defaultTemplate].title}
          <span className="block text-small text-muted">
            Leave it on unless you know each of them. Afterwards you can make new keys and tokens,
            and switch rules on again. What your rules deny stays denied. Agents whose keys end are
            not answered until they have new ones.
          </span>
        </span>
      </label>
    </>
  );
}

function Key({ held, now }: { held: HeldKey; now: Date }) {
  const { did, agent, label, createdAt } = held;
  return (
    <>
      <p className="font-medium">
        Key {label === null ? "without a name" : <InertText text={label} />}
      </p>
      <p className="text-small text-muted">
        Signs as{" "}
        {agent === null ? didName(did) : <AgentName agent={agent} className="font-medium" />}, added{" "}
        <When at={createdAt} now={now} />
      </p>
    </>
  );
}

function Rule({ held }: { held: HeldRule }) {
  const { did, permissions } = held;
  const deeds = list([...permissions].sort().reverse());
  return (
    <>
      <p className="font-medium">
        <Agents held={held} />
      </p>
      <p className="text-small wrap-anywhere text-muted">
        Rule for {didName(did)}: may {deeds} {scopesOf(held)}
      </p>
    </>
  );
}

function Agents({ held: { agentPattern, agent, verifiedOnly } }: { held: HeldRule }) {
  if (agent !== null) return <AgentName agent={agent} />;
  if (agentPattern === everyAgent) return verifiedOnly ? "Verified agents" : "All agents";
  return <span className="font-mono text-small wrap-anywhere">{agentPattern}</span>;
}

const namedMax = 3;

function scopesOf({ scopes, scopeCount }: HeldRule): string {
  if (scopeCount <= scopes.length) return list(scopes.map(categoryWords));
  const named = scopes.slice(0, namedMax).map(categoryWords);
  return list([...named, counted(scopeCount - namedMax, "more category", "more categories")]);
}

function Token({ held, now }: { held: HeldToken; now: Date }) {
  const { did, agent, label, lastFour, lastUsedAt } = held;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 font-medium">
        <AgentName agent={agent} />
        {lastFour !== null && <span className="font-mono text-small text-muted">…{lastFour}</span>}
      </p>
      <p className="text-small text-muted">
        {lastFour === null ? "Connection" : "Token"} for {didName(did)}
        {label !== null && (
          <>
            , <InertText text={label} />
          </>
        )}
        ,{" "}
        {lastUsedAt === null ? (
          "never used"
        ) : (
          <>
            last used <When at={lastUsedAt} now={now} />
          </>
        )}
      </p>
    </>
  );
}
