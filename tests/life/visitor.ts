import { createHash } from "node:crypto";
import { filledIn, formsIn } from "@/e2e/forms";

// People at a gateway, by its pages and its API.

export interface Account {
  name: string;
  handle: string;
  email: string;
  password: string;
}

/** Fills in the form of a page that makes an account. */
export async function createAccount(page: string, account: Account): Promise<void> {
  const shown = formsIn(await (await fetch(page)).text());
  const form = shown.find((one) => one.includes('name="handle"'));
  if (form === undefined) throw new Error(`${page} has no form for an account.`);
  const answer = await fetch(page, {
    method: "POST",
    headers: { Origin: new URL(page).origin },
    body: filledIn(form, { ...account }),
    redirect: "manual",
  });
  if (answer.status !== 303) throw new Error(`${page} answered ${answer.status}.`);
}

export interface Visitor {
  call<T>(target: string, body?: object, method?: string): Promise<T>;
  /** What the profile's log has sealed, checked as its export says: hashes by the ids of events. */
  readSeals(): Promise<Record<string, string>>;
}

/** Signs in, as docs/dashboard-api.md says. */
export async function signIn(
  address: string,
  { email, password }: Pick<Account, "email" | "password">,
): Promise<Visitor> {
  const first = await fetch(`${address}/api/auth/csrf`);
  const { csrfToken } = await first.json();
  const answer = await fetch(`${address}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { Cookie: cookiesOf(first) },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  if (!answer.ok) throw new Error(`Signing in as ${email} answered ${answer.status}.`);
  const headers = { Cookie: cookiesOf(answer), "Content-Type": "application/json" };
  const send = async (target: string, init: RequestInit = {}) => {
    const response = await fetch(address + target, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${target} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    call: async (target, body, method = body === undefined ? "GET" : "POST") =>
      (await send(target, { method, body: body && JSON.stringify(body) })).data,
    readSeals: async () => checkedSeals((await send("/dashboard/activity/export/json")).events),
  };
}

function cookiesOf({ headers }: Response): string {
  const pairs = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return pairs.join("; ");
}

interface ExportedEvent {
  sealed: { id: string };
  hashBefore: string | null;
  hash: string | null;
}

function checkedSeals(events: ExportedEvent[]): Record<string, string> {
  const seals: Record<string, string> = {};
  for (const { sealed, hashBefore, hash } of events) {
    if (hash === null || hashBefore === null) continue;
    const text = JSON.stringify(sorted(sealed));
    const digest = createHash("sha256").update(Buffer.from(hashBefore, "hex")).update(text);
    if (digest.digest("hex") !== hash) throw new Error(`Event ${sealed.id} is not as sealed.`);
    seals[sealed.id] = hash;
  }
  return seals;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
