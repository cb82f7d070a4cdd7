import { Card } from "@/app/_components/card";
import type { Option } from "@/app/_components/forms/fields/options";
import { SelectField } from "@/app/_components/forms/fields/select-field";
import { SwitchField } from "@/app/_components/forms/fields/switch-field";
import { Form } from "@/app/_components/forms/form";
import type { MailboxShown } from "@/lib/services/mail/mailbox";
import { SaveBar } from "../save-bar";
import { changeMailAction } from "./actions";

const digests: Option[] = [
  ["day", "Every day"],
  ["week", "Every week"],
  ["never", "Never"],
];

const weekdays: Option[] = [
  ["1", "Monday"],
  ["2", "Tuesday"],
  ["3", "Wednesday"],
  ["4", "Thursday"],
  ["5", "Friday"],
  ["6", "Saturday"],
  ["7", "Sunday"],
];

const hours = Array.from(
  { length: 24 },
  (_, hour): Option => [String(hour), `${String(hour).padStart(2, "0")}:00`],
);

/** What the gateway writes to the owner about, and when. */
export function MailForm({ mailbox, zones }: { mailbox: MailboxShown; zones: string[] }) {
  const { requests, agents, digest, hour, weekday, timeZone, contents } = mailbox;
  return (
    <Card title="What mails tell you">
      <Form action={changeMailAction} className="flex flex-col gap-5 *:max-w-180">
        <SwitchField
          name="requests"
          label="Requests for access"
          hint="At once, five an hour at most."
          initial={requests}
        />
        <SwitchField
          name="agents"
          label="New agents"
          hint="When an agent comes to a profile of yours for the first time."
          initial={agents}
        />
        <SelectField name="digest" label="Digest" choices={digests} initial={digest} />
        <div className="grid gap-4 sm:grid-cols-3">
          <SelectField name="hour" label="At" choices={hours} initial={String(hour)} />
          <SelectField
            name="weekday"
            label="If weekly, on"
            choices={weekdays}
            initial={String(weekday)}
          />
          <SelectField
            name="timeZone"
            label="Time zone"
            choices={zones.map((zone): Option => [zone, zone.replaceAll("_", " ")])}
            initial={timeZone}
          />
        </div>
        <SwitchField
          name="contents"
          label="Texts of proposals in these mails"
          hint="Mail is not private: servers on its way can read it. Off, a mail only counts."
          initial={contents}
        />
        <p className="text-small text-muted">
          What touches the security of your account is always mailed: sign-ins by another kind of
          browser, passwords, keys, addresses. A link in a mail opens a page and decides nothing.
        </p>
        <SaveBar />
      </Form>
    </Card>
  );
}
