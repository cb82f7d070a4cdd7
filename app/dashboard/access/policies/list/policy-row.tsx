import Link from "next/link";
import type { ReactNode } from "react";
import type { ListedPolicy } from "@/lib/services/policies/list";
import { Badge } from "../../../../_components/badge";
import { ButtonLink } from "../../../../_components/button";
import { SubmitButton } from "../../../../_components/forms/form";
import { InertText } from "../../../../_components/shown/inert-text";
import { When } from "../../../../_components/shown/when";
import { counted } from "../../../../_components/words/list";
import { PolicySentence } from "./sentence";

interface PolicyRowProps {
  policy: ListedPolicy;
  now: Date;
  isSaved: boolean;
}

/** One rule: what it says, why it exists, and its actions. */
export function PolicyRow({ policy, now, isSaved }: PolicyRowProps) {
  const { id, enabled, expiresAt } = policy;
  const isOver = expiresAt !== null && expiresAt <= now;
  return (
    <li
      id={id}
      className={`scroll-mt-6 px-4 py-4 sm:px-6 ${isSaved ? "bg-accent-soft" : ""}`}
      aria-current={isSaved ? "true" : undefined}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <p className={enabled && !isOver ? "" : "text-muted"}>
            <PolicySentence policy={policy} /> {isSaved && <Badge>Saved</Badge>}
            {!enabled && <Badge>Off</Badge>}
          </p>
          <p className="mt-1 text-xs text-muted">
            <Why policy={policy} now={now} />
            {expiresAt !== null && (
              <>
                {" "}
                {isOver ? "It ended " : "It ends "}
                <When at={expiresAt} now={now} />.
              </>
            )}
          </p>
        </div>
        <Buttons policy={policy} isOver={isOver} />
      </div>
    </li>
  );
}

function Buttons({ policy, isOver }: { policy: ListedPolicy; isOver: boolean }) {
  const { id, enabled, origin } = policy;
  return (
    <div className="-mx-3 flex flex-wrap items-start gap-x-1">
      {!isOver && (
        <SubmitButton look="quiet" name={enabled ? "off" : "on"} value={id}>
          {enabled ? "Switch off" : "Switch on"}
        </SubmitButton>
      )}
      {origin === "owner" && (
        <ButtonLink look="quiet" href={`/dashboard/access/policies/${id}`} prefetch={false}>
          Edit
        </ButtonLink>
      )}
      <SubmitButton look="quiet" name="remove" value={id}>
        Remove
      </SubmitButton>
    </div>
  );
}

function Why({ policy, now }: { policy: ListedPolicy; now: Date }): ReactNode {
  const { origin, createdAt, updatedAt, consent, token, receiptSeconds } = policy;
  switch (origin) {
    case "owner":
      return (
        <>
          You wrote it <When at={createdAt} now={now} />
          {updatedAt.getTime() - createdAt.getTime() > 1_000 && (
            <>
              , and changed it last <When at={updatedAt} now={now} />
            </>
          )}
          .{receiptSeconds !== null && ` An answer under it holds for ${hours(receiptSeconds)}.`}
        </>
      );
    case "template":
      return (
        <>
          From the template, <When at={createdAt} now={now} />.
        </>
      );
    case "consent":
      return consent === null ? (
        <>
          You consented <When at={createdAt} now={now} />.
        </>
      ) : (
        <>
          You granted{" "}
          <Link
            prefetch={false}
            href={`/dashboard/access?request=${consent.id}#${consent.id}`}
            className="text-accent underline underline-offset-4"
          >
            its request
          </Link>{" "}
          <When at={consent.decidedAt} now={now} />.
        </>
      );
    case "token":
      return token === null ? (
        <>
          From a connection token of <When at={createdAt} now={now} />, which is gone.
        </>
      ) : (
        <>
          From the connection token{" "}
          {token.label !== null && (
            <>
              “<InertText text={token.label} />”{" "}
            </>
          )}
          (…{token.lastFour}) that you issued <When at={createdAt} now={now} />
          {!token.isLive && ", which has ended"}.
        </>
      );
  }
}

function hours(seconds: number): string {
  return seconds >= 3_600
    ? counted(Math.round((seconds / 3_600) * 10) / 10, "hour")
    : counted(Math.max(1, Math.round(seconds / 60)), "minute");
}
