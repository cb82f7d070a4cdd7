import { freshMs, rootSignIn } from "./demo";

// What an admin's script does: /docs/admin-api.

const { DEMO_URL = "" } = process.env;

/** As /docs/dashboard-api says: the sign-in's own cookie, then the session's. */
export async function cookieOf({ email, password }: { email: string; password: string }) {
  const first = await fetch(`${DEMO_URL}/api/auth/csrf`);
  const { csrfToken } = await first.json();
  const answer = await fetch(`${DEMO_URL}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { Cookie: cookiesIn(first) },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  if (!answer.ok) throw new Error(`signing in answered ${answer.status}`);
  return cookiesIn(answer);
}

function cookiesIn({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

export type Ask = (
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
) => Promise<{ data: never; status: number }>;

export function apiOf(cookie: string): Ask {
  return async (method, path, body) => {
    const response = await fetch(`${DEMO_URL}/api/admin${path}`, {
      method,
      headers: { Cookie: cookie, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { ...(await response.json()), status: response.status };
  };
}

let root: { cookie: Promise<string>; at: number } | undefined;

/** The demo's admin, signed in within the last minutes. */
export function rootCookie(): Promise<string> {
  const now = Date.now();
  if (root === undefined || root.at + freshMs < now) {
    root = { cookie: cookieOf(rootSignIn()), at: now };
  }
  return root.cookie;
}

export async function userIdOf(ask: Ask, email: string): Promise<string> {
  const { data } = await ask("GET", `/users?search=${encodeURIComponent(email)}`);
  const found: { id: string }[] = data;
  const [user] = found;
  if (user === undefined) throw new Error(`nobody has the address ${email}`);
  return user.id;
}
