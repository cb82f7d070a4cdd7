import { Badge } from "@/app/_components/badge";
import { Card } from "@/app/_components/card";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { When } from "@/app/_components/shown/when";
import type { OwnSession } from "@/lib/services/accounts/own-sessions";
import { idleDays, sessionDays } from "@/lib/services/accounts/session-life";
import { deviceWords } from "../../../_components/words/device";
import { endOthersAction, endSessionAction } from "./actions";

interface SessionsProps {
  sessions: OwnSession[];
  currentId: string;
  now: Date;
}

export function Sessions({ sessions, currentId, now }: SessionsProps) {
  return (
    <Card title="Where you are signed in">
      <p className="text-muted">
        A session ends {idleDays} days after its last use, and {sessionDays} days after you signed
        in. Changes that last, such as a key, a token or an export, ask you once in ten minutes to
        confirm that it is you.
      </p>
      <ul className="flex flex-col divide-y divide-line">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3"
          >
            <Session session={session} isCurrent={session.id === currentId} now={now} />
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Form action={endOthersAction} className="mt-3">
          <SubmitButton look="danger">End all other sessions</SubmitButton>
        </Form>
      )}
    </Card>
  );
}

interface SessionProps {
  session: OwnSession;
  isCurrent: boolean;
  now: Date;
}

function Session({ session, isCurrent, now }: SessionProps) {
  const { id, userAgent, createdAt, lastSeenAt } = session;
  const device = deviceWords(userAgent);
  return (
    <>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium" title={userAgent ?? undefined}>
          {device}
          {isCurrent && <Badge>This device</Badge>}
        </p>
        <p className="text-small text-muted">
          Signed in <When at={createdAt} now={now} />, last seen <When at={lastSeenAt} now={now} />
        </p>
      </div>
      {!isCurrent && (
        <Form action={endSessionAction} className="">
          <input type="hidden" name="sessionId" value={id} />
          <SubmitButton look="secondary">
            End<span className="sr-only"> the session of {device}</span>
          </SubmitButton>
        </Form>
      )}
    </>
  );
}
