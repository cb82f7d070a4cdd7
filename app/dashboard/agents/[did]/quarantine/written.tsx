import type { ReactNode } from "react";
import { withoutSecrets } from "@/lib/rules/guard/without-secrets";
import { type Written as Listed, listWritten } from "@/lib/services/access/quarantine/written";
import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import type { Ctx } from "@/lib/services/context";
import { AskOnceMore } from "../../../../_components/forms/ask-once-more";
import { Form, SubmitButton } from "../../../../_components/forms/form";
import { InertText } from "../../../../_components/shown/inert-text";
import { When } from "../../../../_components/shown/when";
import { TextLink } from "../../../../_components/text-link";
import { categoryTitle } from "../../../../_components/words/category";
import { counted } from "../../../../_components/words/list";
import { undoWrittenAction } from "./actions";
import { daysWords, writtenAddress } from "./address";

interface WrittenProps {
  ctx: Ctx;
  did: string;
  dossier: AgentDossier;
  days: "7" | "30" | "90";
}

/** Of an agent that is shut out for now: what it wrote lately, with one undo, and what of it is held apart. */
export async function Written({ ctx, did, dossier, days }: WrittenProps) {
  const { agent, state, quarantinedAt, proposals } = dossier;
  if (quarantinedAt === null && state !== "suspended" && proposals.held === 0) return null;
  const written = await listWritten(ctx, { did, agentDid: agent.did, days: Number(days) });
  return (
    <section aria-labelledby="written" className="flex flex-col gap-3">
      <h2 id="written" className="text-lead font-semibold">
        What it wrote in the last {days} days
      </h2>
      <p className="flex flex-wrap gap-x-4">
        {daysWords
          .filter(([value]) => value !== days)
          .map(([value, words]) => (
            <TextLink key={value} href={writtenAddress(agent.did).href({ days: value })}>
              Show {words}
            </TextLink>
          ))}
      </p>
      <Memories written={written} agentDid={agent.did} days={days} now={ctx.now} />
      {proposals.held > 0 && <Held written={written} count={proposals.held} now={ctx.now} />}
    </section>
  );
}

interface MemoriesProps {
  written: Listed;
  agentDid: string;
  days: string;
  now: Date;
}

function Memories({ written: { memories, isCut }, agentDid, days, now }: MemoriesProps) {
  if (memories.length === 0)
    return <p className="text-muted">You keep nothing of it from these days.</p>;
  return (
    <div className="box p-4">
      <p>
        {isCut ? "More than " : ""}
        {counted(memories.length, "memory of it is kept", "memories of it are kept")}.
        {isCut && " The newest are listed; undo these to see the next."}
      </p>
      <Rows>
        {memories.map(({ id, content, createdAt, isChanged }) => (
          <Row key={id} content={content} at={createdAt} now={now}>
            {isChanged && <span className="text-muted">changed since: stays</span>}
            <TextLink href={`/dashboard/memories/${id}`}>Open</TextLink>
          </Row>
        ))}
      </Rows>
      <div className="mt-3">
        <AskOnceMore act="Undo these approvals">
          <p>
            Those that were not changed since are deleted; you can restore them for 30 days. Their
            proposals are held apart, where they have not expired.
          </p>
          <Form action={undoWrittenAction} className="">
            <input type="hidden" name="agentDid" value={agentDid} />
            <input type="hidden" name="days" value={days} />
            <SubmitButton look="danger">Undo them</SubmitButton>
          </Form>
        </AskOnceMore>
      </div>
    </div>
  );
}

interface HeldProps {
  written: Listed;
  count: number;
  now: Date;
}

function Held({ written: { held }, count, now }: HeldProps) {
  return (
    <div className="box p-4">
      <p>
        {counted(count, "proposal is", "proposals are")} held apart. Their time does not run until
        they wait again.
      </p>
      <Rows>
        {held.map(({ id, content, category, proposedAt }) => (
          <Row key={id} content={content} at={proposedAt} now={now}>
            <span className="text-muted">{categoryTitle(category)}</span>
          </Row>
        ))}
      </Rows>
    </div>
  );
}

function Rows({ children }: { children: ReactNode }) {
  return (
    <ul className="mt-1.5 divide-y divide-line border-y border-line text-small">{children}</ul>
  );
}

const beginningMax = 160;

interface RowProps {
  content: string;
  at: Date;
  now: Date;
  children: ReactNode;
}

function Row({ content, at, now, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2">
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <InertText text={withoutSecrets(content).slice(0, beginningMax)} />
      </span>
      <span className="text-muted">
        <When at={at} now={now} />
      </span>
      {children}
    </li>
  );
}
