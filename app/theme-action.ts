"use server";

import { asFormData } from "@/lib/http/session/action";
import { rememberChoice } from "@/lib/http/session/remember-choice";
import { readTheme, themeCookie } from "./_components/shell/theme";

// A preference of this browser, not of an account: anybody may set it for themselves.
export async function chooseTheme(form: FormData): Promise<void> {
  await rememberChoice(themeCookie, readTheme(asFormData(form).get("theme")));
}
