import type { ShownWebhook } from "@/lib/services/webhooks/webhooks";
import { Card } from "../../../../_components/card";
import { AskOnceMore } from "../../../../_components/forms/ask-once-more";
import { Field } from "../../../../_components/forms/fields/field";
import { Form, SubmitButton } from "../../../../_components/forms/form";
import { Facts } from "../../../../_components/shown/facts";
import { When } from "../../../../_components/shown/when";
import { setWebhookAction, webhookAction } from "./actions";
import { NewSecret } from "./new-secret";

interface SettingsProps {
  agentDid: string;
  webhook: ShownWebhook | null;
  now: Date;
}

export function AddressCard({ agentDid, webhook }: Omit<SettingsProps, "now">) {
  return (
    <Card title="Address">
      <Form action={setWebhookAction} submit={webhook === null ? "Set the webhook" : "Save"}>
        <input type="hidden" name="agentDid" value={agentDid} />
        <Field
          name="url"
          type="url"
          label="Where messages are sent"
          hint="It begins with https:// and is reachable from the internet."
          initial={webhook?.url}
          required
          maxLength={2_000}
          exact
        />
        {/* Once it is replaced, it is not the secret any more. */}
        {!webhook?.formerSecretUntil && <NewSecret />}
      </Form>
    </Card>
  );
}

/** What else can be done with a webhook. The form stays where the webhook is removed, with its result. */
export function StateCard({ agentDid, webhook, now }: SettingsProps) {
  return (
    <Form action={webhookAction} className={webhook === null ? "contents" : ""}>
      <input type="hidden" name="agentDid" value={agentDid} />
      {webhook !== null && (
        <Card title="State">
          <div className="flex flex-col gap-4">
            <Facts facts={factsOf(webhook, now)} />
            <NewSecret />
            <Acts isPaused={webhook.state === "paused"} />
          </div>
        </Card>
      )}
    </Form>
  );
}

function factsOf(webhook: ShownWebhook, now: Date) {
  const { state, stateReason, waiting, formerSecretUntil, updatedAt } = webhook;
  return [
    ["State", state === "paused" ? `Paused. ${stateReason}` : "Active"],
    ["Messages that wait", waiting],
    ["Changed", <When key="changed" at={updatedAt} now={now} />],
    ...(formerSecretUntil === null
      ? []
      : [["Former secret ends", <When key="until" at={formerSecretUntil} now={now} />] as const]),
  ] as const;
}

function Acts({ isPaused }: { isPaused: boolean }) {
  return (
    <div className="flex flex-wrap gap-3">
      {isPaused && (
        <SubmitButton name="intent" value="resume">
          Resume
        </SubmitButton>
      )}
      <SubmitButton look="secondary" name="intent" value="test">
        Send a test message
      </SubmitButton>
      <AskOnceMore act="Replace the secret">
        <p>The former secret signs for 24 hours more, so that the receiver can change over.</p>
        <SubmitButton look="danger" name="intent" value="rotate">
          Replace it now
        </SubmitButton>
      </AskOnceMore>
      <AskOnceMore act="Remove the webhook">
        <p>Messages that wait are deleted, and the list of messages with them.</p>
        <SubmitButton look="danger" name="intent" value="remove">
          Remove it now
        </SubmitButton>
      </AskOnceMore>
    </div>
  );
}
