"use client";

import { useRef, useState } from "react";
import { type FormState, unreachable, untouched } from "../../../_components/forms/form-state";
import { useScope } from "../../../_components/forms/scope";
import { counted } from "../../../_components/words/list";
import { undoAction } from "../../undo/actions";
import { reviewAction, reviewManyAction } from "../actions";

/** What was decided while this page was open, named by its claim. */
export interface Deed {
  ids: string[];
  /** "Approved" */
  did: string;
  claim: string;
}

/** What was not done, and why. */
export interface Failure extends Deed {
  message: string;
  confirm: boolean;
}

const undoMax = 50;

/** Decisions one after the other. Each takes its card out of the list at once; a refusal brings it back. */
export function useDecisions() {
  const { gone, isSent, take, bringBack } = useGone();
  const { failure, refused, fail, refuse, forget } = useFailures();
  const past = usePast();
  // An undo waits for what was sent before it: it is of the last decision, however fast the keys are.
  const answered = useRef<Promise<unknown>>(Promise.resolve());
  const scope = useScope();

  async function decide(ids: string[], deedOf: DeedOf, sending: Promise<FormState>) {
    take(ids);
    forget();
    const answer = await sending.catch(() => unreachable);
    const done = answer.undo?.id.split(",") ?? [];
    const left = ids.filter((id) => !done.includes(id));
    if (done.length > 0) past.add(deedOf(done));
    if (left.length === 0) return;
    bringBack(left);
    refuse(deedOf(left), answer);
  }
  function send(...decision: Parameters<typeof decide>) {
    answered.current = Promise.all([answered.current, decide(...decision)]);
  }
  function decideOne(form: FormData, { id, claim }: { id: string; claim: string }) {
    if (isSent(id)) return;
    send([id], cardDeedOf(form, claim), reviewAction(untouched, form));
  }
  function decideMany(intent: "approve" | "reject", group: { ids: string[]; name: string }) {
    const form = formOf(scope, { intent, proposalIds: group.ids.join(",") });
    send(group.ids, groupDeedOf(intent, group.name), reviewManyAction(untouched, form));
  }
  async function undoLast(): Promise<string | undefined> {
    const deed = past.latest();
    if (deed === undefined) return;
    forget();
    const form = formOf(scope, { kind: "proposal", id: deed.ids.join(",") });
    const answer = await undoAction(untouched, form).catch(() => unreachable);
    const isRepeatable = answer === unreachable || typeof answer.confirm === "string";
    if (!isRepeatable) past.drop(deed);
    if (answer.ok) bringBack(deed.ids);
    else fail({ ...deed, did: "Not undone" }, answer);
    return answer.ok ? deed.ids[0] : undefined;
  }
  /** Undoes the last decision. Returns what waits again. */
  function undo(): Promise<string | undefined> {
    const undone = answered.current.then(undoLast);
    answered.current = undone;
    return undone;
  }
  return { gone, last: past.last, failure, refused, decideOne, decideMany, undo };
}

/** The last decisions, the newest at the end. */
function usePast() {
  const deeds = useRef<Deed[]>([]);
  const [last, setLast] = useState<Deed>();
  function keep(next: Deed[]) {
    deeds.current = next.slice(-undoMax);
    setLast(next.at(-1));
  }
  return {
    last,
    /** The same, before the page is drawn again. */
    latest: () => deeds.current.at(-1),
    add: (deed: Deed) => keep([...deeds.current, deed]),
    drop: (deed: Deed) => keep(deeds.current.filter((one) => one !== deed)),
  };
}

/** What was refused last, and the answer to each card that was refused. */
function useFailures() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [refused, setRefused] = useState<Record<string, FormState>>({});
  function fail(deed: Deed, answer: FormState) {
    const message = messageOf(answer) ?? answer.message ?? "";
    setFailure({ ...deed, message, confirm: typeof answer.confirm === "string" });
  }
  function refuse({ did, ...deed }: Deed, answer: FormState) {
    fail({ ...deed, did: `Not ${did.toLowerCase()}` }, answer);
    const answers = Object.fromEntries(deed.ids.map((id) => [id, answer]));
    setRefused((before) => ({ ...before, ...answers }));
  }
  return { failure, refused, fail, refuse, forget: () => setFailure(null) };
}

/** What left the list because it was decided. */
function useGone() {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const sent = useRef(new Set<string>());
  return {
    gone,
    isSent: (id: string) => sent.current.has(id),
    take(ids: string[]) {
      for (const id of ids) sent.current.add(id);
      setGone((before) => new Set([...before, ...ids]));
    },
    bringBack(ids: string[]) {
      for (const id of ids) sent.current.delete(id);
      setGone((before) => new Set([...before].filter((id) => !ids.includes(id))));
    },
  };
}

/** Names some of what was sent: of a group, not all may be decided. */
type DeedOf = (ids: string[]) => Deed;

function cardDeedOf(form: FormData, claim: string): DeedOf {
  const did = dids[String(form.get("intent"))] ?? "Approved";
  return (ids) => ({ ids, did, claim });
}

function groupDeedOf(intent: "approve" | "reject", name: string): DeedOf {
  const did = intent === "reject" ? "Rejected" : "Approved";
  return (ids) => ({ ids, did, claim: `${counted(ids.length, "claim")} of ${name}` });
}

const dids: Partial<Record<string, string>> = {
  reject: "Rejected",
  replace: "Approved in place of another",
  edit: "Approved with changes",
};

function formOf(scope: string | null, fields: Record<string, string>): FormData {
  const form = new FormData();
  if (scope !== null) form.set("profile", scope);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** An issue with the proposal itself, rather than with a field of the form, is the message. */
export function messageOf({ ok, message, issues }: FormState): string | null {
  if (ok) return null;
  const { "path.proposalId": path, proposalId, replaces, category } = issues;
  return path ?? proposalId ?? replaces ?? category ?? message;
}
