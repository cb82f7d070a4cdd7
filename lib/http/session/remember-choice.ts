import { cookies } from "next/headers";

const yearSeconds = 365 * 24 * 60 * 60;

/** Keeps a choice in this browser, for pages: no script reads it. */
export async function rememberChoice(cookie: string, value: string): Promise<void> {
  const options = { path: "/", sameSite: "lax", httpOnly: true, maxAge: yearSeconds } as const;
  (await cookies()).set(cookie, value, options);
}
