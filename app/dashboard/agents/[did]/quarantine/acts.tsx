import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import { Form, SubmitButton } from "../../../../_components/forms/form";
import { InertText } from "../../../../_components/shown/inert-text";
import { When } from "../../../../_components/shown/when";
import { liftQuarantineAction, quarantineAction } from "./actions";

/** Puts the agent into quarantine, or lifts that. */
export function QuarantineAct({ dossier }: { dossier: AgentDossier }) {
  const { agent, quarantinedAt } = dossier;
  const isIn = quarantinedAt !== null;
  return (
    <Form action={isIn ? liftQuarantineAction : quarantineAction} className="">
      <input type="hidden" name="agentDid" value={agent.did} />
      <SubmitButton
        look="secondary"
        title={
          isIn
            ? undefined
            : "It reads, asks and proposes nothing until you lift that. Nothing of its access ends."
        }
      >
        {isIn ? "Lift the quarantine" : "Quarantine"}
      </SubmitButton>
    </Form>
  );
}

/** How the owner has shut the agent out, and that it asks to be let in again. */
export function ShutOutNotes({ dossier, now }: { dossier: AgentDossier; now: Date }) {
  const { blockedBy, quarantinedAt, resume } = dossier;
  return (
    <>
      {blockedBy !== null && (
        <p className="mt-3 text-danger">
          You blocked it: it reads, asks and proposes nothing. It can still look up what became of
          its own proposals.
        </p>
      )}
      {quarantinedAt !== null && (
        <p className="mt-3 text-danger">
          In quarantine since <When at={quarantinedAt} now={now} />: it reads, asks and proposes
          nothing, and what it proposed is held apart. Nothing of its access has ended.
        </p>
      )}
      {resume !== null && (
        <p className="mt-3">
          It asked <When at={resume.askedAt} now={now} /> to be let in again
          {resume.reason === null ? (
            "."
          ) : (
            <>
              : <InertText text={resume.reason} />
            </>
          )}
        </p>
      )}
    </>
  );
}
