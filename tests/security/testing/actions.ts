import { readFile } from "node:fs/promises";

// The server actions that were built, and requests that call them as React's own scripts do.

interface Built {
  exportedName: string;
  filename: string;
  workers: Record<string, unknown>;
}

export interface Action {
  /** editAction of app/dashboard/memories/actions.ts */
  name: string;
  id: string;
  /** An address that it may be sent to. */
  page: string;
}

export async function builtActions(): Promise<Action[]> {
  const manifest = await readFile(".next/server/server-reference-manifest.json", "utf8");
  const { node }: { node: Record<string, Built> } = JSON.parse(manifest);
  return Object.entries(node).map(([id, { exportedName, filename, workers }]) => {
    const worker = Object.keys(workers).find((one) => !one.includes("[...")) ?? "";
    const page = worker.replace(/^app|\/page$|\/\([^)]*\)/g, "").replace(/\[\w+\]/g, "x");
    return { name: `${exportedName} of ${filename}`, id, page: page || "/" };
  });
}

let built: Promise<Action[]> | undefined;

export async function actionNamed(name: string): Promise<Action> {
  // The pages are there once a gateway has started.
  built ??= builtActions();
  const found = (await built).find((action) => action.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

export type Field = readonly [name: string, value: string | File];

const nothingYet = { ok: false, message: null, issues: {}, values: {} };

/** What a form of ours sends: the state that it shows, where the action wants one, and its fields. */
export function formSent({ name }: Pick<Action, "name">, fields: readonly Field[]): FormData {
  const sent = new FormData();
  for (const [field, value] of fields) sent.append(`_1_${field}`, value);
  // React wants what an argument is made of before the argument.
  sent.append("0", JSON.stringify(name.startsWith("choose") ? ["$K1"] : [nothingYet, "$K1"]));
  return sent;
}

export interface Outcome {
  status: number;
  text: string;
  /** What the browser is told to keep. */
  cookies: string[];
}

export interface Calling {
  gateway: string;
  cookie: string;
  /** A form, or the list of arguments as React writes it. */
  body: FormData | string;
}

export async function callAction(
  { id, page }: Action,
  { gateway, cookie, body }: Calling,
): Promise<Outcome> {
  const headers = new Headers({ "Next-Action": id, Origin: gateway, Cookie: cookie });
  if (typeof body === "string") headers.set("Content-Type", "text/plain;charset=UTF-8");
  const response = await fetch(gateway + page, {
    method: "POST",
    redirect: "manual",
    headers,
    body,
  });
  const cookies = response.headers.getSetCookie();
  return { status: response.status, text: await response.text(), cookies };
}
