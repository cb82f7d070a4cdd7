"use server";

import { cookies } from "next/headers";
import { asFormData } from "@/lib/http/session/action";
import { readTheme, themeCookie } from "./_components/shell/theme";

const yearSeconds = 365 * 24 * 60 * 60;

// A preference of this browser, not of an account: anybody may set it for themselves.
export async function chooseTheme(form: FormData): Promise<void> {
  (await cookies()).set(themeCookie, readTheme(asFormData(form).get("theme")), {
    path: "/",
    sameSite: "lax",
    maxAge: yearSeconds,
  });
}
