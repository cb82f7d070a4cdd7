import type { ShownDelivery } from "@/lib/services/webhooks/deliveries";
import { Form, SubmitButton } from "../../../../_components/forms/form";
import { LongText } from "../../../../_components/shown/long-text";
import { When } from "../../../../_components/shown/when";
import { counted } from "../../../../_components/words/list";
import { replayAction } from "./actions";

interface MessageListProps {
  agentDid: string;
  messages: ShownDelivery[];
  now: Date;
}

const stateWords = { waiting: "waits to be sent", done: "delivered", given_up: "given up" };

/** What was sent to a webhook, with the answers. One form, so that its result outlives a row. */
export function MessageList({ agentDid, messages, now }: MessageListProps) {
  return (
    <Form action={replayAction} className={messages.length === 0 ? "contents" : ""}>
      <input type="hidden" name="agentDid" value={agentDid} />
      {messages.length > 0 && (
        <ul aria-label="Messages" className="flex flex-col divide-y divide-line box">
          {messages.map((message) => (
            <li key={message.id} className="px-4 py-4 sm:px-6">
              <Line message={message} now={now} />
            </li>
          ))}
        </ul>
      )}
    </Form>
  );
}

function Line({ message, now }: { message: ShownDelivery; now: Date }) {
  const { id, type, state, attempts, answer, madeAt } = message;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-80">
        <h3 className="font-mono font-semibold wrap-anywhere">{type}</h3>
        <p className="text-small text-muted">
          {stateWords[state]} · {counted(attempts, "attempt")} · made <When at={madeAt} now={now} />
        </p>
        <details className="mt-1">
          <summary className="text-small link font-medium">
            Message and answer<span className="sr-only"> of {id}</span>
          </summary>
          <pre className="mt-2 overflow-x-auto rounded-box bg-sunken px-3 py-2 font-mono text-small">
            {JSON.stringify(message.message, null, 2)}
          </pre>
          {answer !== null && (
            <div className="mt-2 theirs px-3 py-2 text-small wrap-anywhere">
              <LongText text={answer} />
            </div>
          )}
        </details>
      </div>
      {state !== "waiting" && (
        <SubmitButton look="secondary" name="replay" value={id}>
          Send again<span className="sr-only">: {type}</span>
        </SubmitButton>
      )}
    </div>
  );
}
