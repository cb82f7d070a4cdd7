import { redirect, unstable_rethrow } from "next/navigation";
import { z } from "zod";
import { requestCtx } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { GatewayError, type Issue, isUnconfirmed } from "@/lib/protocol/errors";
import { isStorable } from "@/lib/protocol/resources";
import type { SessionUser } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";
import { asGatewayError } from "../reply";
import { admitPerson } from "./admit-person";
import { type Confirmation, confirmWith, waysOf } from "./confirm";
import { confirmField } from "./confirm-field";
import { type OwnProfile, pageContext, profileOf } from "./page";

// Server actions: a form in, its next state out. Beside reply.ts the only file that catches errors.

/** The next state of a form. `values` holds what the user typed, without secrets. */
export interface ActionState<Shown = unknown> {
  ok: boolean;
  message: string | null;
  issues: Record<string, string>;
  values: Record<string, string>;
  shown?: Shown;
  undo?: Undo;
  /** What the form asks for besides its fields; null if it was just confirmed. */
  confirm?: Confirmation | null;
}

/** Names a change to app/dashboard/undo, which takes it back. */
export interface Undo {
  kind: string;
  id: string;
}

export interface Outcome<Shown = unknown> {
  ok: boolean;
  message: string | null;
  /** Data to show with the form: a preview or a result. */
  shown?: Shown;
  /** Not done yet: the form keeps its values. */
  keeps?: boolean;
  undo?: Undo;
}

export type Handler<Input, Shown> = (query: Input) => Promise<Outcome<Shown>>;
export type Action<Shown> = (
  state: ActionState<Shown>,
  form: FormData,
) => Promise<ActionState<Shown>>;

/** For signed-in users; others are sent to sign in. */
export function action<S extends z.ZodType, Shown = unknown>(
  schema: S,
  handler: Handler<Signed & { input: z.output<S> }, Shown>,
): Action<Shown> {
  return async (_state, sent) => {
    const signed = await pageContext();
    const form = asFormData(sent);
    return confirmThenRun(signed, { form, schema }, (input, by) => handler({ ...by, input }));
  };
}

type OwnersInput<S extends z.ZodType> = Signed & { profile: OwnProfile; input: z.output<S> };

/** For the owner of the profile that the form was shown for. */
export function profileAction<S extends z.ZodType, Shown = unknown>(
  schema: S,
  handler: Handler<OwnersInput<S>, Shown>,
): Action<Shown> {
  return async (_state, sent) => {
    const signed = await pageContext();
    const form = asFormData(sent);
    return confirmThenRun(signed, { form, schema }, async (input, by) => {
      const profile = await profileOf(by.who, form.get("profile"));
      return handler({ ...by, profile, input });
    });
  };
}

/** An action for anybody: sign in, sign up, use a link. */
export function openAction<S extends z.ZodType, Shown = unknown>(
  schema: S,
  handler: Handler<{ ctx: Ctx; input: z.output<S> }, Shown>,
): Action<Shown> {
  return async (_state, sent) => {
    const ctx = requestCtx();
    return run({ ctx, schema, form: asFormData(sent) }, (input) => handler({ ctx, input }));
  };
}

/** Callers control the arguments of an action: anything that is not a form has no fields. */
export function asFormData(sent: unknown): FormData {
  return sent instanceof FormData ? sent : new FormData();
}

/**
 * A query of a form's script while the user fills it in; changes nothing. Returns null for invalid input and
 * for other users' profiles.
 */
export function profileQueryAction<S extends z.ZodType, Seen>(
  schema: S,
  look: (query: OwnersInput<S>) => Promise<Seen>,
): (did: string | null, query: unknown) => Promise<Seen | null> {
  return async (did, query) => {
    const { ctx, who } = await pageContext();
    const parsed = schema.safeParse(query);
    if (!parsed.success) return null;
    try {
      await admitPerson({ engine: engine(), now: ctx.now }, who.userId);
      return await look({ ctx, who, profile: await profileOf(who, did), input: parsed.data });
    } catch (thrown) {
      if (thrown instanceof GatewayError && thrown.http < 500) return null;
      throw thrown;
    }
  };
}

type Signed = { ctx: Ctx; who: SessionUser };

interface Submission<S extends z.ZodType> {
  schema: S;
  form: FormData;
}

type Work<S extends z.ZodType, Shown> = (input: z.output<S>) => Promise<Outcome<Shown>>;

/** Confirms the session first if the form has a password; if one is needed, the form asks for it next. */
async function confirmThenRun<S extends z.ZodType, Shown>(
  signed: Signed,
  submission: Submission<S>,
  work: (input: z.output<S>, by: Signed) => Promise<Outcome<Shown>>,
): Promise<ActionState<Shown>> {
  const { ctx } = signed;
  const { form } = submission;
  let confirm: Confirmation | null | undefined;
  let by = signed;
  try {
    await admitPerson({ engine: engine(), now: ctx.now }, signed.who.userId);
    const confirmed = await confirmWith(signed, form.get(confirmField));
    if (confirmed !== null) {
      by = confirmed;
      confirm = null;
    }
  } catch (thrown) {
    const state = explain({ thrown, ctx, values: shownAgain(form) });
    const wrong = state.issues[confirmField];
    return wrong === undefined ? state : { ...state, message: wrong, confirm: "password" };
  }
  const state = await run({ ctx, ...submission }, async (input) => {
    try {
      return await work(input, by);
    } catch (thrown) {
      // Their session ended, or their account was deleted, since the form came.
      if (thrown instanceof GatewayError && thrown.http === 401) redirect("/sign-in");
      if (!isUnconfirmed(thrown)) throw thrown;
      confirm = await waysOf(signed);
      return { ok: false, message: asking[confirm] };
    }
  });
  return { ...state, confirm };
}

const asking: Record<Confirmation, string> = {
  password: "Enter your password to go on. Nothing was changed yet.",
  "sign-in": "Sign in again to go on. Nothing was changed yet.",
};

async function run<S extends z.ZodType, Shown>(
  { ctx, schema, form }: Submission<S> & { ctx: Ctx },
  work: Work<S, Shown>,
): Promise<ActionState<Shown>> {
  const typed = textFields(form);
  const values = shownAgain(form);
  const stray = invalidFields(form);
  if (stray.length > 0) return refused(values, stray);
  const parsed = await schema.safeParseAsync(typed);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({
      path: path.join("."),
      message,
    }));
    return refused(values, issues);
  }
  try {
    const { ok, message, shown, keeps, undo } = await work(parsed.data);
    return { ok, message, issues: {}, values: ok && !keeps ? {} : values, shown, undo };
  } catch (thrown) {
    unstable_rethrow(thrown);
    return explain({ thrown, ctx, values });
  }
}

type Thrown = { thrown: unknown; ctx: Ctx; values: Record<string, string> };

function explain({ thrown, ctx: { requestId }, values }: Thrown): ActionState<never> {
  const error = asGatewayError(thrown);
  if (error.cause !== undefined) {
    engine().log.error(error.message, { requestId, code: error.code, error: error.cause });
  }
  const issues = Issues.safeParse(error.details?.issues);
  if (issues.success) return refused(values, issues.data);
  const reference = error.http >= 500 ? ` Request id: ${requestId}.` : "";
  return { ok: false, message: `${error.message}${reference}`, issues: {}, values };
}

const Issues = z.array(z.object({ path: z.string(), message: z.string() })).min(1);

function refused(values: Record<string, string>, found: Issue[]): ActionState<never> {
  const issues: Record<string, string> = {};
  for (const { path, message } of found) issues[path] ??= message;
  // An issue of the whole form is shown above its fields.
  if (issues.form !== undefined) return { ok: false, message: issues.form, issues, values };
  const message =
    Object.keys(issues).length === 1
      ? "One field needs another look."
      : `${Object.keys(issues).length} fields need another look.`;
  return { ok: false, message, issues, values };
}

const noFile =
  "A file came where words belong. Nothing was changed: open the page again and repeat it.";
const notStorable = "Has a character that cannot be kept (U+0000). Type it again without.";

// Ignoring a file would change the form's meaning: a new rule instead of a change.
function invalidFields(form: FormData): Issue[] {
  return [...form].flatMap(([name, value]) => {
    if (typeof value !== "string") return [{ path: "form", message: noFile }];
    return isStorable(value) ? [] : [{ path: name, message: notStorable }];
  });
}

function textFields(form: FormData): Record<string, string> {
  const entries = [...form.entries()].slice(0, 200);
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof value === "string" && !name.startsWith("$ACTION") ? [[name, value]] : [],
    ),
  );
}

function shownAgain(form: FormData): Record<string, string> {
  return Object.fromEntries(Object.entries(textFields(form)).filter(([name]) => !isSecret(name)));
}

// Secrets are never sent back.
function isSecret(name: string): boolean {
  return /password|passphrase|token|secret/i.test(name);
}
