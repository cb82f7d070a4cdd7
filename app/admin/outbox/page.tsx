import type { Metadata } from "next";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { selectFilter } from "@/app/_components/lists/select-filter";
import { InertText } from "@/app/_components/shown/inert-text";
import { When } from "@/app/_components/shown/when";
import { counted } from "@/app/_components/words/list";
import { engine } from "@/lib/engine/engine";
import type { Query } from "@/lib/http/session/address/search-params";
import { adminContext } from "@/lib/http/session/admin";
import { type DeliveryLine, listDeliveries } from "@/lib/services/admin/system/outbox";
import { AdminList, perPage } from "../_parts/admin-list";
import { outboxAction } from "./actions";
import { outboxAddress, stateWords } from "./address";
import { kindWords } from "./words";

export const metadata: Metadata = { title: "Outbox" };

export default async function OutboxPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx } = await adminContext();
  const values = outboxAddress.read(await searchParams);
  const { state, before } = values;
  const { deliveries, next } = await listDeliveries(ctx, {
    state,
    before: before && Number(before.id),
    limit: perPage,
  });
  return (
    <AdminList
      title="Outbox"
      words={
        engine().mailer === null
          ? "Messages to agents' webhooks. No mail goes out: set SMTP_URL and MAIL_FROM."
          : "Mails to people and messages to agents' webhooks: to whom and of what kind, never what they say."
      }
      address={outboxAddress}
      values={values}
      filters={[selectFilter("state", "State", state, { "": "Any state", ...stateWords })]}
      next={next}
      none="No message that matches, within the last two weeks."
    >
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} now={ctx.now} />
      ))}
    </AdminList>
  );
}

function Delivery({ delivery, now }: { delivery: DeliveryLine; now: Date }) {
  const { id, sink, kind, recipient, state, attempts, answer, madeAt, dueAt } = delivery;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-medium">
          {kindWords(kind)} <span className="font-normal">to</span>{" "}
          <span className="wrap-anywhere">
            <InertText text={recipient} />
          </span>
        </p>
        <p className="text-small text-muted">
          {sink === "webhook" ? "Webhook" : "Mail"} · made <When at={madeAt} now={now} />
          {attempts > 0 && <> · {counted(attempts, "attempt")}</>}
          {state === "waiting" && attempts > 0 && sink !== "webhook" && (
            <>
              {" "}
              · next <When at={dueAt} now={now} />
            </>
          )}
        </p>
        {answer !== null && (
          <p className="mt-1 text-small wrap-anywhere">
            <InertText text={answer.slice(0, 300)} />
          </p>
        )}
      </div>
      <div className="flex items-center gap-3">
        <span className={state === "given_up" ? "font-medium text-danger" : "text-muted"}>
          {stateWords[state]}
        </span>
        {state === "given_up" && sink !== "webhook" && (
          <Form action={outboxAction} className="">
            <input type="hidden" name="intent" value="retry" />
            <input type="hidden" name="id" value={id} />
            <SubmitButton look="secondary">
              Send again<span className="sr-only"> to {recipient}</span>
            </SubmitButton>
          </Form>
        )}
      </div>
    </li>
  );
}
