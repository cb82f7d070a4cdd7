import Link from "next/link";
import type { ReactNode } from "react";
import type { Overview } from "@/lib/services/overview";
import { Card } from "../../_components/card";
import { When } from "../../_components/shown/when";
import { counted } from "../../_components/words/list";

interface WaitsProps {
  overview: Overview;
  now: Date;
}

/** What waits for an answer: since when, and until when. */
export function Waits({ overview: { proposals, requests }, now }: WaitsProps) {
  const nothing = proposals.count + requests.count === 0;
  return (
    <Card title="Waiting for you">
      {nothing ? (
        <p className="text-muted">No agent is waiting for an answer.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {requests.count > 0 && (
            <Waiting href="/dashboard/access" text={counted(requests.count, "access request")}>
              {requests.oldest !== null && (
                <>
                  the oldest came <When at={requests.oldest} now={now} />
                </>
              )}
            </Waiting>
          )}
          {proposals.count > 0 && (
            <Waiting href="/dashboard/proposals" text={counted(proposals.count, "proposal")}>
              {proposals.oldest !== null && (
                <>
                  the oldest came <When at={proposals.oldest} now={now} />
                </>
              )}
              {proposals.nextEnd !== null && (
                <>
                  , the next expires <When at={proposals.nextEnd} now={now} />
                </>
              )}
            </Waiting>
          )}
        </ul>
      )}
    </Card>
  );
}

function Waiting({ href, text, children }: { href: string; text: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 py-2.5 first:pt-0 last:pb-0">
      <Link href={href} className="font-medium text-accent underline underline-offset-4">
        {text}
      </Link>
      <span className="text-muted">{children}</span>
    </li>
  );
}
